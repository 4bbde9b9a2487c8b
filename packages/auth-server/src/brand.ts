import { invalidOption } from './errors.ts'

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

const brandNames: Readonly<Record<keyof BrandOptions, true>> = { name: true, logo: true, color: true, links: true }

export function readBrand(brand: BrandOptions, origin: string): Brand {
  if (typeof brand !== 'object' || brand === null)
    throw invalidOption('brand must be an object: { name, logo, color, links }')
  const { name = new URL(origin).host, logo, color, links = [] } = brand
  const unknown = Object.keys(brand).find((it) => !Object.hasOwn(brandNames, it))
  if (unknown !== undefined) throw invalidOption(`brand has no ${unknown}`)
  if (!isText(name)) throw invalidOption(`brand.name must be text of 1 to ${MAX_NAME_LENGTH} characters`)
  if (color !== undefined && !(typeof color === 'string' && /^#[\da-f]{6}$/i.test(color)))
    throw invalidOption('brand.color must be a color like #2952cc')
  if (logo !== undefined) checkImage('brand.logo', logo, origin)
  if (!Array.isArray(links) || links.length > MAX_LINKS)
    throw invalidOption(`brand.links must be a list of at most ${MAX_LINKS} links`)
  return { name, logo, color, links: links.map((link) => readLink(link, origin)) }
}

/** Icons of providers by id, checked like the logo. */
export function readIcons(icons: Readonly<Record<string, string>>, origin: string): Readonly<Record<string, string>> {
  for (const [id, icon] of Object.entries(icons)) checkImage(`providerIcons.${id}`, icon, origin)
  return icons
}

function readLink(link: BrandLink, origin: string): BrandLink {
  const { label, url } = { ...link }
  if (!isText(label)) throw invalidOption(`brand.links: label must be text of 1 to ${MAX_NAME_LENGTH} characters`)
  const isWeb = typeof url === 'string' && /^https:\/\/[^\s"'\\]+$/.test(url) && URL.canParse(url)
  if (!isWeb && !isOwnPath(url, origin))
    throw invalidOption('brand.links: url must be a path of this site or an https: address')
  return { label, url }
}

function isText(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '' && text.length <= MAX_NAME_LENGTH
}

const dataImage = /^data:image\/(?:svg\+xml|png|jpeg|webp|gif)(?:;[\w-]+=[\w-]+)*(?:;base64)?,[^\s"'\\<>]+$/i

/** Images come from this site alone, or are part of the page: the policy of the pages admits nothing else. */
function checkImage(name: string, image: unknown, origin: string): void {
  const isImage = typeof image === 'string' && (dataImage.test(image) || isOwnPath(image, origin))
  if (!isImage || image.length > MAX_IMAGE_LENGTH)
    throw invalidOption(
      `${name} must be a path of this site or a data: URI of an image, at most ${MAX_IMAGE_LENGTH} characters`,
    )
}

/** A path such as `/logo.svg`. `//other.example/logo.svg` and `/\other.example` lead to another origin. */
function isOwnPath(path: unknown, origin: string): path is string {
  return typeof path === 'string' && /^\/[^\s"'\\<>]*$/.test(path) && new URL(path, origin).origin === origin
}
