// Generates the reference page of the command line from the help texts.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run as runPortico } from '@portico/cli'
import { root } from '../run.mjs'

/** The help text of a command, or of `portico` itself. */
export async function readHelp(...args: string[]): Promise<string> {
  const write = process.stdout.write.bind(process.stdout)
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    text += chunk
    return true
  }
  try {
    const code = await runPortico([...args, '--help'])
    if (code !== 0) throw new Error(`portico ${args.join(' ')} --help ended with ${code}`)
  } finally {
    process.stdout.write = write
  }
  return text.trim()
}

/** The names of the commands, in the order of the help. */
export async function listCommands(): Promise<string[]> {
  const [, list = ''] = (await readHelp()).match(/^Commands:\n([\s\S]*?)\n\n/m) ?? []
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name)
}

/** The current pages by path. */
export async function pages(): Promise<Record<string, string>> {
  const block = (text: string): string => `\`\`\`text\n${text}\n\`\`\``
  const sections: string[] = []
  for (const name of await listCommands()) sections.push(`## portico ${name}\n\n${block(await readHelp(name))}`)
  const text = `<!-- Made by \`npm run docs -- cli\`. Edits here are lost. -->

# The command \`portico\`

The \`--help\` of each command. [\`@portico/cli\`](../../packages/cli/README.md) explains how to use them together.

${block(await readHelp())}

${sections.join('\n\n')}
`
  return { 'docs/reference/cli.md': text }
}

export async function run(): Promise<string[]> {
  const written = Object.entries(await pages())
  for (const [path, text] of written) writeFileSync(join(root, path), text)
  return written.map(([path]) => path)
}
