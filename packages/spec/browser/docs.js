// Starts Swagger UI on the docs page. The page says in data-settings where things are.
;(() => {
  const mount = document.getElementById('docs')
  const settings = JSON.parse(mount.dataset.settings)
  const specUrl = new URL(settings.specUrl, location.href)
  const storageKey = `portico-docs ${specUrl.pathname}`

  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()

  // Swagger UI can only keep tokens for good. Here they last as long as the tab.
  const keepForSession = () => ({
    statePlugins: {
      auth: {
        wrapActions: {
          persistAuthorizationIfNeeded: (_original, system) => () => {
            sessionStorage.setItem(storageKey, JSON.stringify(system.authSelectors.authorized()))
          },
        },
      },
    },
  })

  // The limits of whole numbers in JavaScript are true of nearly every number, and make poor examples.
  const leaveOutLimits = (key, value) => {
    if (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) return undefined
    return key === 'maximum' && value === Number.MAX_SAFE_INTEGER ? undefined : value
  }

  const ui = window.SwaggerUIBundle({
    domNode: mount,
    url: specUrl.pathname,
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [keepForSession],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    showExtensions: false,
    // Colouring long answers takes seconds on a phone.
    syntaxHighlight: { theme: dark.matches ? 'obsidian' : 'idea' },
    validatorUrl: null,
    oauth2RedirectUrl: new URL(settings.redirectUrl, location.href).href,
    responseInterceptor(response) {
      if (response.url === specUrl.href) response.text = JSON.stringify(JSON.parse(response.text, leaveOutLimits))
      return response
    },
    onComplete() {
      const kept = sessionStorage.getItem(storageKey)
      if (kept) ui.authActions.restoreAuthorization({ authorized: JSON.parse(kept) })
      mount.removeAttribute('aria-busy')
    },
  })

  // An answer to a question that this page did not ask, by its state, is not used, whatever it brings.
  const takeAnswer = (answer) => {
    const pending = window.swaggerUIRedirectOauth2
    if (!pending?.state || answer.get('state') !== pending.state) return false
    delete pending.state
    if (answer.get('code')) {
      pending.auth.code = answer.get('code')
      pending.callback({ auth: pending.auth, redirectUrl: pending.redirectUrl })
    } else {
      const reason = answer.get('error_description') ?? answer.get('error') ?? 'the server sent no code'
      const message = `The sign-in failed: ${reason}.`
      pending.errCb({ authId: pending.auth.name, source: 'auth', level: 'error', message })
    }
    return true
  }
  const channel = new BroadcastChannel('portico-docs sign-in')
  channel.onmessage = ({ data }) => {
    if (data.answer !== undefined && takeAnswer(new URLSearchParams(data.answer))) {
      channel.postMessage({ taken: data.answer })
    }
  }
  if (settings.oauth) ui.initOAuth({ ...settings.oauth, usePkceWithAuthorizationCodeGrant: true })
})()
