import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { readText, trackedFiles } from './workspace.ts'

/** The reports of the public surface have blocks of code, too, but they are not programs. */
const documents = trackedFiles.filter((file) => file.endsWith('.md') && !/^packages\/\w[\w-]*\/api\//.test(file))

/** The anchors a document offers, made of its headings as code hosts make them. */
function anchorsOf(file: string): string[] {
  return [...readText(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('every relative link leads somewhere', () => {
  it.each(documents)('%s', (document) => {
    const prose = readText(document).replace(/```[\s\S]*?```/g, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : join(dirname(document), path)
      expect(existsSync(join(root, file)), `${document} links to ${target}`).toBe(true)
      if (anchor !== undefined && file.endsWith('.md'))
        expect(anchorsOf(file), `${document} links to ${target}`).toContain(anchor)
    }
  })
})

it('every code block of the READMEs and docs compiles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-docs-'))
  try {
    const blocks = documents.flatMap((document) =>
      [...readText(document).matchAll(/^```(ts|js)\n([\s\S]*?)^```/gm)].map(([, language, code = ''], index) => ({
        name: `${document.replaceAll('/', '__')}-${index + 1}.${language}`,
        code,
      })),
    )
    expect(blocks.length).toBeGreaterThan(0)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await mkdir(join(folder, 'blocks'))
    for (const { name, code } of blocks) await writeFile(join(folder, 'blocks', name), `${code}\nexport {}\n`)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      allowJs: true,
      checkJs: true,
      // Blocks in JavaScript show what to run, without the types that would get in the way.
      noImplicitAny: false,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      skipLibCheck: true,
      noEmit: true,
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['blocks'] }))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
