import { getMate, type Mate } from '../metadata.ts'
import type { DescribingMetadata, Guard, HttpMethod, InputDefinition, ResponseDefinition } from '../route.ts'
import type { TypeToken } from '../types.ts'

/** The metadata that the decorators of this package write. */
export interface HttpMetadata extends DescribingMetadata {
  readonly prefix?: string | undefined
  readonly routes?: readonly { readonly method: HttpMethod; readonly path: string }[] | undefined
  readonly input?:
    | {
        readonly in: InputDefinition['in']
        readonly name?: string | undefined
        readonly type?: TypeToken | undefined
      }
    | undefined
  readonly guards?: readonly Guard[] | undefined
  readonly status?: number | undefined
  readonly consumes?: readonly string[] | undefined
  readonly returns?:
    | readonly (Partial<Omit<ResponseDefinition, 'status' | 'type'>> & {
        readonly status?: number | undefined
        readonly type?: TypeToken | undefined
      })[]
    | undefined
}

export const http: Mate<HttpMetadata> = getMate<HttpMetadata>()
