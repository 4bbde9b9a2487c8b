/** A label at the start of a line or sentence: “A work account” if the option says “a work account”. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
