import { compile } from '@portico/schema'
import type { AnyTable, Schema } from '@portico/schema/runtime'
import { transformWithOxc } from 'vite'

/** The values that a generated module exports. */
export type ModuleValues = Record<string, Schema<unknown> | AnyTable>

const runtime = import.meta.resolve('@portico/schema/runtime')

/** Compiles a schema that imports nothing and runs the generated module, without leaving a file behind. */
export async function loadSchema(text: string): Promise<ModuleValues> {
  const { modules, diagnostics } = compile([{ path: 'schema.portico', text }])
  const [module] = modules
  if (!module) throw new Error(`${diagnostics[0]?.message}\n${text}`)
  const { code } = await transformWithOxc(module.code, 'schema.portico.ts', { lang: 'ts' })
  const linked = code.replace('@portico/schema/runtime', runtime).replace(/\n\/\/# sourceMappingURL=.*/, '')
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(linked)}`)) as ModuleValues
}
