import type { Span } from '../source.ts'

export interface Edge<N> {
  readonly to: N
  /** The source text that creates the edge. */
  readonly span: Span
}

export interface Graph<N> {
  edges(node: N): readonly Edge<N>[]
  /** Called with the nodes of a cycle and the edge that closes it. */
  onCycle(path: readonly N[], edge: Edge<N>): void
  /** Called once per node, after all nodes it leads to. */
  leave(node: N): void
}

/** Depth-first traversal from the roots. Iterative, so that no input overflows the call stack. */
export function walk<N extends object>(roots: Iterable<N>, graph: Graph<N>): void {
  const state = new Map<N, 'open' | 'done'>()
  for (const root of roots) if (!state.has(root)) walkFrom(root, graph, state)
}

function walkFrom<N extends object>(root: N, graph: Graph<N>, state: Map<N, 'open' | 'done'>): void {
  const stack: { node: N; edges: readonly Edge<N>[]; next: number }[] = []
  const open = (node: N): void => {
    state.set(node, 'open')
    stack.push({ node, edges: graph.edges(node), next: 0 })
  }
  open(root)
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const edge = top.edges[top.next++]
    if (!edge) {
      state.set(top.node, 'done')
      stack.pop()
      graph.leave(top.node)
    } else if (!state.has(edge.to)) open(edge.to)
    else if (state.get(edge.to) === 'open') {
      const nodes = stack.map((it) => it.node)
      graph.onCycle(nodes.slice(nodes.indexOf(edge.to)), edge)
    }
  }
}
