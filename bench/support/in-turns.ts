/** Programs that do the same work, by name. */
export type Contenders = Record<string, () => Promise<unknown>>

/** The average time of one call in a round. */
export interface Sample {
  readonly wallUs: number
  readonly cpuUs: number
}

/** Lets the contenders take turns, one round each, so that slow phases of the machine affect all of them. */
export async function measureInTurns(
  contenders: Contenders,
  { rounds, callsPerRound }: { rounds: number; callsPerRound: number },
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(contenders)) {
      const started = performance.now()
      const cpu = process.cpuUsage()
      for (let count = 0; count < callsPerRound; count += 1) await call()
      const { user, system } = process.cpuUsage(cpu)
      const wallUs = ((performance.now() - started) * 1000) / callsPerRound
      samples.set(name, [...(samples.get(name) ?? []), { wallUs, cpuUs: (user + system) / callsPerRound }])
    }
  }
  return samples
}
