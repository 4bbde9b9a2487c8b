type Rgb = readonly [number, number, number]

/** WCAG 2.2 §1.4.3 asks for 4.5:1 of text; a bit more leaves room for rounding. */
const MIN_CONTRAST = 4.6

/** A color for links and buttons on one background, and the color of text on such a button. */
export interface Accent {
  readonly color: string
  readonly text: string
}

/** The brand color on a background: darkened on a light one or lightened on a dark one until it is readable. */
export function accentOn(color: string, background: string): Accent {
  const ground = readHex(background)
  const target: Rgb = luminanceOf(ground) > 0.5 ? [0, 0, 0] : [255, 255, 255]
  const own = readHex(color)
  for (let share = 0; share <= 1; share += 0.05) {
    const mixed = mix(own, target, share)
    if (contrastOf(mixed, ground) >= MIN_CONTRAST) return { color: toHex(mixed), text: textOn(mixed) }
  }
  return { color: toHex(target), text: textOn(target) }
}

function textOn(color: Rgb): string {
  const [light, dark] = ['#ffffff', '#0f131a'] as const
  return contrastOf(color, readHex(light)) >= contrastOf(color, readHex(dark)) ? light : dark
}

function readHex(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16)
  return [(number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff]
}

function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((it) => from[it]! + (to[it]! - from[it]!) * share) as unknown as Rgb
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminanceOf(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
