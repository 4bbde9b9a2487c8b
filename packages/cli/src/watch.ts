import { type FSWatcher, type WatchListener, watch } from 'node:fs'

/** Changes come in bursts, one for each step an editor takes; one round answers a burst. */
const quietMs = 40

/** What this command writes itself is no change. */
const isSchemaChange = (name: string): boolean => !/\.(ts|tmp)$/.test(name)

/**
 * Calls `work` at once and after every change in the folders it returned last, until the signal aborts. Each folder
 * is watched by itself, so that what lies in `node_modules` costs nothing. `isChange` tells whether a file counts.
 */
export function watchFolders(
  signal: AbortSignal,
  work: () => readonly string[] | Promise<readonly string[]>,
  isChange: (name: string) => boolean = isSchemaChange,
): Promise<void> {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      settle()
    }
    const round = async (): Promise<void> => {
      if (signal.aborted) return
      try {
        const folders = await work()
        // What changed after the round read a folder and before it was watched would go unseen: look once more.
        if (!signal.aborted && follow(watchers, folders, noticed)) later()
      } catch (error) {
        finish(() => reject(error))
      }
    }
    /** One round after the other, never two at once. */
    const next = (): void => {
      last = last.then(round)
    }
    const noticed = (name: string | null): void => {
      if (name === null || isChange(name)) later()
    }
    const later = (): void => {
      clearTimeout(timer)
      timer = setTimeout(next, quietMs)
    }
    signal.addEventListener('abort', () => finish(resolve), { once: true })
    if (signal.aborted) finish(resolve)
    else next()
  })
}

/** Watches these folders and no others. Returns whether one of them is new. */
function follow(
  watchers: Map<string, FSWatcher>,
  folders: readonly string[],
  onChange: (name: string | null) => void,
): boolean {
  let isNew = false
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue
    watcher.close()
    watchers.delete(folder)
  }
  for (const folder of folders) {
    if (watchers.has(folder)) continue
    isNew = true
    const watcher = watchIfThere(folder, (_event, name) => onChange(name))
    // A folder that is removed ends its watcher; the next round no longer asks for it.
    watcher?.on('error', () => onChange(null))
    if (watcher) watchers.set(folder, watcher)
  }
  return isNew
}

/** A folder may go between the look at it and the watch. */
function watchIfThere(folder: string, listener: WatchListener<string>): FSWatcher | undefined {
  try {
    return watch(folder, listener)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
