/** The `portico` command as a function, and its configuration. */
export { EXIT } from './command.ts'
export { ConfigError, type ConfigErrorCode, defineConfig, type PorticoConfig } from './config.ts'
export { run } from './main.ts'
