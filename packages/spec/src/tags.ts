import type { Tag } from './document.ts'
import type { SpecOptions } from './options.ts'
import type { DescribedRoute } from './routes.ts'
import type { TSpecMate } from './spec-mate.ts'

/** The tags of the options in their order, then the others in order of appearance. */
export function collectTags(routes: readonly DescribedRoute[], { tags = [], openapi }: SpecOptions): Tag[] {
  const found = new Map<string, Tag>(tags.map((it) => [it.name, it]))
  for (const { tags: used, controller } of routes) {
    for (const name of used) if (!found.has(name)) found.set(name, { name })
    // A controller's label and description become those of its first tag.
    const own = found.get(controller.specTags?.[0] ?? '')
    if (own && own.description === undefined) found.set(own.name, { ...own, ...describeTag(controller, openapi) })
  }
  return [...found.values()].map((it) => (openapi === '3.2' ? it : withoutSummary(it)))
}

function describeTag({ label, description }: TSpecMate, openapi: SpecOptions['openapi']): Partial<Tag> {
  if (openapi === '3.2') {
    return { ...(label !== undefined && { summary: label }), ...(description !== undefined && { description }) }
  }
  const texts = [label, description].filter((it) => it !== undefined)
  return texts.length > 0 ? { description: texts.join('\n\n') } : {}
}

/** Tags have a summary since OpenAPI 3.2. */
function withoutSummary(tag: Tag): Tag {
  const { summary: _, ...rest } = tag
  return rest
}
