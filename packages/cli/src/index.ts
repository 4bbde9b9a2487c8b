/** The command `portico` as a function, and the configuration that it reads. */
export { EXIT } from './command.ts'
export { ConfigError, type ConfigErrorCode, defineConfig, type PorticoConfig } from './config.ts'
export { run } from './main.ts'
