import { checkOptions } from './check-options.ts'
import { expecting, type OptionCheck } from './shared/option-checks.ts'
import { type OptionRules, required } from './shared/options.ts'

/** The look of the pages that people see. */
export interface BrandOptions {
  /** The name of your application. Default: the host of `baseUrl`. */
  readonly name?: string | undefined
  /**
   * Your logo, shown beside the name: a path of this site, such as `/logo.svg`, or a `data:` URI of an image, at most
   * 64 KiB. Logos of other origins are refused, so that no other site learns who signs in.
   */
  readonly logo?: string | undefined
  /** The color of buttons and links: `#2952cc`. Where it lacks contrast, it is darkened or lightened. */
  readonly color?: string | undefined
  /** Links below every page, such as help, terms and privacy: at most 8. */
  readonly links?: readonly BrandLink[] | undefined
}

export interface BrandLink {
  readonly label: string
  /** A path of this site, or an `https:` address. */
  readonly url: string
}

/** The brand with its defaults. */
export interface Brand {
  readonly name: string
  readonly logo: string | undefined
  readonly color: string | undefined
  readonly links: readonly BrandLink[]
}

const MAX_NAME_LENGTH = 100
const MAX_LINKS = 8
/** A logo is part of every page, so it has to stay small. */
const MAX_IMAGE_LENGTH = 65_536

const shortText = expecting(
  `text of 1 to ${MAX_NAME_LENGTH} characters`,
  (it) => typeof it === 'string' && it.trim() !== '' && it.length <= MAX_NAME_LENGTH,
)

const color = expecting('a color like #2952cc', (it) => typeof it === 'string' && /^#[\da-f]{6}$/i.test(it))

export function readBrand(brand: BrandOptions, origin: string): Brand {
  const isShortList = (it: unknown): boolean => Array.isArray(it) && it.length <= MAX_LINKS
  const rules: OptionRules<BrandOptions> = {
    name: shortText,
    logo: imageOf(origin),
    color,
    links: expecting(`a list of at most ${MAX_LINKS} links`, isShortList),
  }
  checkOptions(brand, rules, 'brand')
  const { name = new URL(origin).host, links = [] } = brand
  return { name, logo: brand.logo, color: brand.color, links: links.map((link) => readLink(link, origin)) }
}

/** Icons of providers by id, checked like the logo. */
export function readIcons(icons: Readonly<Record<string, string>>, origin: string): Readonly<Record<string, string>> {
  const image = required(imageOf(origin))
  checkOptions(icons, Object.fromEntries(Object.keys(icons).map((id) => [id, image])), 'providerIcons')
  return icons
}

function readLink(link: BrandLink, origin: string): BrandLink {
  const isWeb = (it: unknown): boolean =>
    typeof it === 'string' && /^https:\/\/[^\s"'\\]+$/.test(it) && URL.canParse(it)
  const url = expecting('a path of this site or an https: address', (it) => isWeb(it) || isOwnPath(it, origin))
  checkOptions(link, { label: required(shortText), url: required(url) }, 'brand.links')
  return { label: link.label, url: link.url }
}

const dataImage = /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)(?:;[\w-]+=[\w-]+)*(?:;base64)?,[^\s"'\\<>]+$/i

/** Images come from this site alone, or are part of the page: the policy of the pages admits nothing else. */
function imageOf(origin: string): OptionCheck {
  return expecting(
    `a path of this site or a data: URI of an image, at most ${MAX_IMAGE_LENGTH} characters`,
    (it) => typeof it === 'string' && it.length <= MAX_IMAGE_LENGTH && (dataImage.test(it) || isOwnPath(it, origin)),
  )
}

/** A path such as `/logo.svg`. `//other.example/logo.svg` and `/\other.example` lead to another origin. */
function isOwnPath(path: unknown, origin: string): path is string {
  return typeof path === 'string' && /^\/[^\s"'\\<>]*$/.test(path) && new URL(path, origin).origin === origin
}
