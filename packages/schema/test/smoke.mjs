// The compiler, the formatter and the runtime on any Node, as users import them.
import assert from 'node:assert/strict'
import { compile, format } from '@portico/schema'
import { DEFAULT_PRECISION } from '@portico/schema/model'
import { assertFormat, defineType, isDateTime, isEmail, isUrl } from '@portico/schema/runtime'

const text = "@db.table 'users'\nexport interface User {\n  @meta.id\n  id: number\n  email: string.email\n}\n"
const { failed, modules, models } = compile([{ path: 'users.portico', text }])
assert.equal(failed, false)
assert.match(modules[0]?.code ?? '', /export interface UserInsert/)
assert.deepEqual(
  models[0]?.declarations[0]?.table?.columns.map((it) => it.storage),
  ['integer', 'text'],
)
assert.equal(format(text).text, text)
assert.equal(compile([{ path: 'a.portico', text: 'interface A { b: Nope }' }]).diagnostics[0]?.code, 'unknown_name')
assert.deepEqual(DEFAULT_PRECISION, { precision: 38, scale: 9 })
assert.throws(() => assertFormat(0, 'users.portico.ts'), /portico generate/)
assert.ok(isEmail('a@b.co') && isUrl('https://a.b') && isDateTime('2026-01-01T00:00:00Z'))
const Name = defineType({
  name: 'Name',
  jsonSchema: { type: 'string' },
  check: (value, path, issues) => {
    if (typeof value !== 'string') issues.push({ path, code: 'type', message: 'expected text' })
  },
})
assert.deepEqual(Name['~standard'].validate(1), { issues: [{ path: [], code: 'type', message: 'expected text' }] })
