import { getMate } from '@portico/http'
import { describe, expect, it } from 'vitest'

interface Shape {
  readonly tags?: readonly string[]
  readonly label?: string
}

const mate = getMate<Shape>()
const Tag = (name: string) => mate.decorate('tags', name, true)
const Label = (text: string) => mate.decorate('label', text)

describe('the metadata store', () => {
  it('keeps appended values in the order in which they are read', () => {
    @Tag('a')
    @Tag('b')
    class Stacked {
      @Tag('c')
      @Tag('d')
      method() {}
    }
    expect(mate.read(Stacked).tags).toEqual(['a', 'b'])
    expect(mate.read(Stacked, { property: 'method' }).tags).toEqual(['c', 'd'])
  })

  it('lets the first of several values stand', () => {
    @Label('upper')
    @Label('lower')
    class Twice {}
    expect(mate.read(Twice).label).toBe('upper')
  })

  it('composes decorators as if they were stacked, on classes, methods and parameters', () => {
    const Both = mate.apply(Label('x'), Tag('a'), mate.apply(Tag('b'), Label('y')))
    @Both
    class Composed {
      @Both
      method(@Both parameter: string) {
        return parameter
      }
    }
    const expected = { label: 'x', tags: ['a', 'b'] }
    expect(mate.read(Composed)).toMatchObject(expected)
    expect(mate.read(Composed, { property: 'method' })).toMatchObject(expected)
    expect(mate.read(Composed, { property: 'method', index: 0 })).toMatchObject(expected)
  })

  it('adds to what a base class has, or replaces it', () => {
    @Tag('base')
    @Label('base')
    class Base {}
    @Tag('more')
    class More extends Base {}
    @mate.decorate('tags', ['only'])
    @Label('other')
    class Other extends Base {}
    expect(mate.read(More)).toEqual({ tags: ['base', 'more'], label: 'base' })
    expect(mate.read(Other)).toEqual({ tags: ['only'], label: 'other' })
    expect(mate.read(Base)).toEqual({ tags: ['base'], label: 'base' })
  })

  it('refuses to append to a value that is not an array, also when it is inherited', () => {
    const wrong = getMate<{ label?: string[] }>().decorate('label', 'x', true)
    const invalid = expect.objectContaining({ name: 'RouteError', code: 'METADATA_INVALID' })
    expect(() => mate.apply(wrong, Label('text'))(class {})).toThrow(invalid)
    @Label('text')
    class Base {}
    @wrong
    class Derived extends Base {}
    expect(() => mate.read(Derived)).toThrow(invalid)
  })

  it('refuses places that no handler has', () => {
    const misplaced = expect.objectContaining({ code: 'DECORATOR_MISPLACED' })
    expect(() => Label('x')(class {}, undefined, 0)).toThrow(misplaced)
    expect(() => Label('x')(class {}, 'method')).toThrow(misplaced)
  })
})
