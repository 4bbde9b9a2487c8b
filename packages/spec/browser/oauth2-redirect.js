// Hands the answer of the authorization server to the docs page that asked for it, in the window that opened this one.
;(() => {
  const pending = window.opener?.swaggerUIRedirectOauth2
  const answer = new URLSearchParams(location.search)
  if (!pending) {
    document.getElementById('told').textContent = 'Nobody asked for this sign-in. You can close this window.'
    return
  }
  const refuse = (message) => pending.errCb({ authId: pending.auth.name, source: 'auth', level: 'error', message })
  if (answer.get('state') !== pending.state) {
    // An answer to a question that was not asked is not used, whatever it brings.
    refuse('The sign-in was refused: its state is not the one that was sent.')
  } else if (answer.get('code')) {
    delete pending.state
    pending.auth.code = answer.get('code')
    pending.callback({ auth: pending.auth, redirectUrl: pending.redirectUrl })
  } else {
    const reason = answer.get('error_description') ?? answer.get('error') ?? 'the server sent no code'
    refuse(`The sign-in failed: ${reason}.`)
  }
  window.close()
})()
