import { type FSWatcher, type WatchListener, watch } from 'node:fs'

/** Editors save in several steps. One round handles all changes within this time. */
const debounceMs = 40

/** Ignores the files that this command writes. */
const isSchemaChange = (name: string): boolean => !/\.(ts|tmp)$/.test(name)

/**
 * Calls `work` immediately and after every change in the folders it returned last, until the signal aborts. Watches each
 * folder separately, so that `node_modules` costs nothing. `isChange` filters by file name.
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
        // Run once more: a change between reading a new folder and watching it would be missed.
        if (!signal.aborted && updateWatchers(watchers, folders, noticed)) later()
      } catch (error) {
        finish(() => reject(error))
      }
    }
    /** Rounds never overlap. */
    const next = (): void => {
      last = last.then(round)
    }
    const noticed = (name: string | null): void => {
      if (name === null || isChange(name)) later()
    }
    const later = (): void => {
      clearTimeout(timer)
      timer = setTimeout(next, debounceMs)
    }
    signal.addEventListener('abort', () => finish(resolve), { once: true })
    if (signal.aborted) finish(resolve)
    else next()
  })
}

/** Watches exactly these folders. Returns true if one of them is new. */
function updateWatchers(
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
    // Removing a folder ends its watcher. The next round no longer includes it.
    watcher?.on('error', () => onChange(null))
    if (watcher) watchers.set(folder, watcher)
  }
  return isNew
}

/** The folder may have been removed in the meantime. */
function watchIfThere(folder: string, listener: WatchListener<string>): FSWatcher | undefined {
  try {
    return watch(folder, listener)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
