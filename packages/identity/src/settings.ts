import { checkOptions } from './check-options.ts'
import { type Clock, systemClock } from './clock.ts'
import type { FetchLike } from './fetch.ts'
import type { SharedKeySetConfig, SharedProviderConfig } from './provider.ts'
import { anyFunction, anyObject, clock, nonNegativeNumber, trueOrFalse } from './shared/option-checks.ts'
import type { OptionRules } from './shared/options.ts'

/** The options of one provider that a registry may also share. */
export interface OwnSettings {
  readonly clockToleranceSec?: number | undefined
  readonly jwksCacheTtlMs?: number | undefined
  readonly clock?: Clock | undefined
  readonly fetch?: FetchLike | undefined
}

export interface Settings {
  readonly clockToleranceSec: number
  readonly jwksCacheTtlMs: number
  readonly refreshOnUnknownKid: boolean
  readonly clock: Clock
  /** `undefined`: the global `fetch`, with limits. */
  readonly fetch: FetchLike | undefined
}

/** A provider's own options override shared ones, which override the defaults. */
export function resolveSettings(own: OwnSettings, shared: SharedProviderConfig): Settings {
  return {
    clockToleranceSec: own.clockToleranceSec ?? shared.clockToleranceSec ?? 5,
    jwksCacheTtlMs: own.jwksCacheTtlMs ?? shared.jwks?.cacheTtlMs ?? 3_600_000,
    refreshOnUnknownKid: shared.jwks?.refreshOnUnknownKid ?? true,
    clock: own.clock ?? shared.clock ?? systemClock,
    fetch: own.fetch ?? shared.fetch,
  }
}

const ownRules: OptionRules<OwnSettings> = {
  clockToleranceSec: nonNegativeNumber,
  jwksCacheTtlMs: nonNegativeNumber,
  clock,
  fetch: anyFunction,
}

const sharedRules: OptionRules<SharedProviderConfig> = {
  clockToleranceSec: nonNegativeNumber,
  jwks: anyObject,
  clock,
  fetch: anyFunction,
}

const keySetRules: OptionRules<SharedKeySetConfig> = { cacheTtlMs: nonNegativeNumber, refreshOnUnknownKid: trueOrFalse }

export function checkOwnSettings(own: OwnSettings): void {
  checkOptions(own, ownRules)
}

export function checkSharedConfig(shared: SharedProviderConfig): void {
  checkOptions(shared, sharedRules)
  checkOptions(shared.jwks ?? {}, keySetRules, 'jwks')
}
