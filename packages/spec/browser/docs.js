// Starts Swagger UI on the docs page. The URLs are in data-settings.
;(() => {
  const mount = document.getElementById('docs')
  const settings = JSON.parse(mount.dataset.settings)
  const specUrl = new URL(settings.specUrl, location.href)
  const storageKey = `portico-docs ${specUrl.pathname}`

  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()

  // Swagger UI can only store tokens permanently. Here they last as long as the tab.
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

  // Handles the response of the authorization server. One that belongs to no sign-in of this page is not used.
  const takeAnswer = (answer) => {
    const pending = window.swaggerUIRedirectOauth2
    const refuse = (message) => pending.errCb({ authId: pending.auth.name, source: 'auth', level: 'error', message })
    if (answer.get('state') !== pending.state) {
      refuse('The sign-in was refused: its state does not match.')
    } else if (answer.get('code')) {
      delete pending.state
      pending.auth.code = answer.get('code')
      pending.callback({ auth: pending.auth, redirectUrl: pending.redirectUrl })
    } else {
      const reason = answer.get('error_description') ?? answer.get('error') ?? 'the server sent no code'
      refuse(`The sign-in failed: ${reason}.`)
    }
  }
  window.porticoTakeAnswer = takeAnswer

  // A Cross-Origin-Opener-Policy severs the sign-in window from this one. Then the response comes over a channel, to every
  // open docs page. The page that started the sign-in recognizes the state.
  const redirectUrl = new URL(settings.redirectUrl, location.href).href
  const channel = new BroadcastChannel(redirectUrl)
  channel.addEventListener('message', ({ data }) => {
    const answer = new URLSearchParams(data.answer)
    const state = answer.get('state')
    if (state === null || state !== window.swaggerUIRedirectOauth2?.state) return
    takeAnswer(answer)
    channel.postMessage({ taken: state })
  })

  // JavaScript's safe-integer limits apply to nearly every number and make poor examples.
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
    // Highlighting long responses takes seconds on a phone.
    syntaxHighlight: { theme: dark.matches ? 'obsidian' : 'idea' },
    validatorUrl: null,
    oauth2RedirectUrl: redirectUrl,
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
  if (settings.oauth) ui.initOAuth({ ...settings.oauth, usePkceWithAuthorizationCodeGrant: true })
})()
