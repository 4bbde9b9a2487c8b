import { cut, list, meant, type Wording } from './wording.ts'

/** Messages about declarations, imports, types and their names. */
export const nameMessages = {
  duplicate_name: {
    severity: 'error',
    about: 'Two declarations or imports of one file with the same name.',
    text: (name: string): Wording => `\`${name}\` is declared twice in this file`,
  },
  reserved_name: {
    severity: 'error',
    about: 'A declaration or field with a name that is reserved by the language or TypeScript.',
    text: (name: string): Wording => `\`${name}\` is a reserved name`,
  },
  generated_name_taken: {
    severity: 'error',
    about: 'A declaration whose name collides with one that is generated for another declaration.',
    text: (name: string, owner: string): Wording =>
      `\`${name}\` collides with a name that is generated for \`${owner}\``,
  },
  bad_import_path: {
    severity: 'error',
    about: 'An import path that is not relative.',
    text: (path: string): Wording => [
      `\`${cut(path)}\` is not a relative path`,
      "start it with './' or '../', such as './teams'",
    ],
  },
  file_not_found: {
    severity: 'error',
    about: 'An imported file that does not exist.',
    text: (path: string): Wording => `schema file \`${path}\` not found`,
  },
  unknown_import: {
    severity: 'error',
    about: 'An imported name that the other file does not declare.',
    text: (name: string, file: string, near: string | undefined): Wording => [
      `\`${file}\` does not declare \`${name}\``,
      meant(near),
    ],
  },
  not_exported: {
    severity: 'error',
    about: 'An imported name that the other file declares without `export`.',
    text: (name: string, file: string): Wording => [
      `\`${name}\` is not exported by \`${file}\``,
      'put `export` before it',
    ],
  },
  unknown_name: {
    severity: 'error',
    about: 'A type that is not built in, declared or imported.',
    text: (name: string, near: string | undefined, hint: string | undefined): Wording => [
      `unknown type \`${name}\``,
      hint ?? meant(near),
    ],
  },
  unknown_subtype: {
    severity: 'error',
    about: 'A dotted subtype that a built-in type does not have.',
    text: (base: string, written: string, near: string | undefined, all: readonly string[]): Wording => [
      `\`${base}\` has no subtype \`${written}\``,
      meant(near) ?? (all.length > 0 ? `it has ${list(all)}` : undefined),
    ],
  },
  unknown_field: {
    severity: 'error',
    about: 'A reference to a field that its interface does not have.',
    text: (owner: string, field: string, near: string | undefined): Wording => [
      `\`${owner}\` has no field \`${field}\``,
      near && `did you mean \`${owner}.${near}\`?`,
    ],
  },
  reference_not_scalar: {
    severity: 'error',
    about: 'A field reference to a field that holds an object or a navigation.',
    text: (reference: string): Wording => [
      `\`${reference}\` holds an object; only fields with plain values can be referenced`,
      'declare the object as an interface and refer to that',
    ],
  },
  duplicate_field: {
    severity: 'error',
    about: 'Two fields of one object, inherited ones included, with the same name.',
    text: (name: string, owner: string | undefined): Wording =>
      owner ? `\`${name}\` is already a field of \`${owner}\`` : `the field \`${name}\` is declared twice`,
  },
  extends_not_interface: {
    severity: 'error',
    about: '`extends` with something that is not an interface.',
    text: (name: string): Wording => `\`${name}\` is a type; only interfaces can be extended`,
  },
  type_cycle: {
    severity: 'error',
    about: 'Types that contain each other without end.',
    text: (path: readonly string[]): Wording => [
      `this type contains itself: ${path.join(' → ')}`,
      'between tables, refer to a key field and navigate with @db.rel.to or @db.rel.from',
    ],
  },
  duplicate_union_member: {
    severity: 'error',
    about: 'The same type twice in one union.',
    text: (written: string): Wording => `${written} appears twice in this union`,
  },
  union_too_wide: {
    severity: 'error',
    about: 'A union with too many alternatives, including those of the types it names.',
    text: (max: number): Wording => [
      `this union has more than ${max} alternatives, including those of the types it names`,
      'name each type only once',
    ],
  },
} as const
