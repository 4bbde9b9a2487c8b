import type { AnyDecorator } from '../metadata.ts'
import { http } from './keys.ts'

/**
 * Marks a class as a controller. The paths of its routes begin with `prefix`.
 *
 * ```ts
 * @Controller('/projects')
 * class ProjectController {
 *   @Get('/:id')
 *   find(@Param('id') id: number) { … }
 * }
 * ```
 */
export function Controller(prefix = '/'): AnyDecorator {
  return http.decorate('prefix', prefix)
}
