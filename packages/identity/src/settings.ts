import {
  checkObject,
  checkOptionalClock,
  checkOptionalDuration,
  checkOptionalFunction,
  invalidConfig,
} from './check-options.ts'
import { type Clock, systemClock } from './clock.ts'
import type { FetchLike } from './fetch.ts'
import type { SharedProviderConfig } from './provider.ts'

/** The settings a provider may share with others, as its own options give them. */
export interface OwnSettings {
  clockToleranceSec?: number | undefined
  jwksCacheTtlMs?: number | undefined
  clock?: Clock | undefined
  fetch?: FetchLike | undefined
}

export interface Settings {
  clockToleranceSec: number
  jwksCacheTtlMs: number
  refreshOnUnknownKid: boolean
  clock: Clock
  /** `undefined`: the platform's, with limits. */
  fetch: FetchLike | undefined
}

/** A provider's own options come first, then what it shares with others, then the defaults. */
export function resolveSettings(own: OwnSettings, shared: SharedProviderConfig): Settings {
  return {
    clockToleranceSec: own.clockToleranceSec ?? shared.clockToleranceSec ?? 5,
    jwksCacheTtlMs: own.jwksCacheTtlMs ?? shared.jwks?.cacheTtlMs ?? 3_600_000,
    refreshOnUnknownKid: shared.jwks?.refreshOnUnknownKid ?? true,
    clock: own.clock ?? shared.clock ?? systemClock,
    fetch: own.fetch ?? shared.fetch,
  }
}

export function checkOwnSettings(own: OwnSettings): void {
  checkOptionalDuration(own.clockToleranceSec, 'clockToleranceSec')
  checkOptionalDuration(own.jwksCacheTtlMs, 'jwksCacheTtlMs')
  checkOptionalClock(own.clock, 'clock')
  checkOptionalFunction(own.fetch, 'fetch')
}

export function checkSharedConfig(shared: SharedProviderConfig): void {
  checkObject(shared, 'shared configuration')
  checkOptionalDuration(shared.clockToleranceSec, 'clockToleranceSec')
  checkOptionalClock(shared.clock, 'clock')
  checkOptionalFunction(shared.fetch, 'fetch')
  if (shared.jwks === undefined) return
  checkObject(shared.jwks, 'jwks')
  checkOptionalDuration(shared.jwks.cacheTtlMs, 'jwks.cacheTtlMs')
  if (!['boolean', 'undefined'].includes(typeof shared.jwks.refreshOnUnknownKid))
    throw invalidConfig('jwks.refreshOnUnknownKid must be true or false')
}
