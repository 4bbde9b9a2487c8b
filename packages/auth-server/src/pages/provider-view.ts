import type { Settings } from '../options.ts'
import type { Markup } from '../shared/html.ts'
import { providerIcon } from './icons.ts'

/** A provider as pages show it. */
export interface ProviderView {
  readonly id: string
  readonly label: string
  readonly icon: Markup
}

export function viewProvider({ labelOf, providerIcons }: Settings, id: string): ProviderView {
  const image = Object.hasOwn(providerIcons, id) ? providerIcons[id] : undefined
  return { id, label: labelOf(id), icon: providerIcon(id, image) }
}
