import { execFile } from 'node:child_process'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { root } from '../../scripts/run.mjs'

/** A folder with the descriptions `kit.json` and `demo.json`, where clients are made and compiled. */
export class ClientFolder {
  readonly path: string
  readonly documents: readonly string[] = ['kit', 'demo']

  constructor(path: string) {
    this.path = path
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text)
  }

  /** Runs a program here, and gives what it prints; one that fails is an error with all of it. */
  run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd: string = this.path): Promise<string> {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 1e9 }
    return new Promise((resolve, reject) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        if (!error) resolve(stdout + stderr)
        else reject(new Error(`${program} ${args.join(' ')}\n${stdout.slice(-4000)}${stderr.slice(-4000)}`))
      })
    })
  }

  /** Compiles TypeScript strictly, with the compiler and the packages of `test/tools`, and gives the errors. */
  async compile(tools: string, files: readonly string[], emit = false): Promise<string[]> {
    const modules = join(tools, 'node_modules')
    await symlink(modules, join(this.path, 'node_modules'), 'junction').catch(() => {})
    await symlink(join(root, 'node_modules/@types'), join(this.path, 'types'), 'junction').catch(() => {})
    await this.write('package.json', '{ "type": "module" }')
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: ['./types'],
      skipLibCheck: true,
      noEmit: !emit,
    }
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
    const compiler = join(modules, 'typescript/bin/tsc')
    const printed = await this.run(process.execPath, [compiler, '-p', '.']).catch((error: Error) => error.message)
    return printed.split('\n').filter((it) => /error TS\d+/.test(it))
  }

  /** A module of Go that knows everything that generated clients import; each client is a package in it. */
  async goModule(name: string): Promise<string> {
    const folder = join(this.path, name)
    await cp(join(root, '.ci/oapi-codegen'), folder, { recursive: true })
    return folder
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** The environment of a virtual environment of Python. */
export function pythonEnvironment(venv: string): NodeJS.ProcessEnv {
  const path = `${join(venv, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`
  return { VIRTUAL_ENV: venv, PATH: path, PYTHONDONTWRITEBYTECODE: '1' }
}

export async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true })
  return path
}
