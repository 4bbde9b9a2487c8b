import { getMate, type Mate } from '../metadata.ts'
import type { DescribingMetadata, Guard, HttpMethod, InputDefinition, ResponseDefinition } from '../route.ts'
import type { TypeToken } from '../types.ts'

/** What the decorators of this package write. */
export interface HttpMetadata extends DescribingMetadata {
  readonly prefix?: string
  readonly routes?: readonly { readonly method: HttpMethod; readonly path: string }[]
  readonly input?: { readonly in: InputDefinition['in']; readonly name?: string; readonly type?: TypeToken }
  readonly guards?: readonly Guard[]
  readonly status?: number
  readonly consumes?: readonly string[]
  readonly returns?: readonly (Partial<Omit<ResponseDefinition, 'type'>> & { readonly type?: TypeToken })[]
}

export const http: Mate<HttpMetadata> = getMate<HttpMetadata>()
