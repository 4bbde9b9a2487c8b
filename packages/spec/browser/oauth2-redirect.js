// Passes the response of the authorization server to the docs page: to the window that opened this one or, if a page in
// between has severed the opener, over a BroadcastChannel of this origin.
;(() => {
  const answer = new URLSearchParams(location.search)
  if (window.opener?.swaggerUIRedirectOauth2) {
    window.opener.porticoTakeAnswer(answer)
    window.close()
    return
  }
  const show = (text) => {
    document.getElementById('message').textContent = text
  }
  const unclaimed = setTimeout(() => show('No docs page started this sign-in. You can close this window.'), 1000)
  const channel = new BroadcastChannel(location.origin + location.pathname)
  channel.addEventListener('message', ({ data }) => {
    if (data.taken === undefined || data.taken !== answer.get('state')) return
    clearTimeout(unclaimed)
    show('You are signed in. You can close this window.')
    window.close()
  })
  channel.postMessage({ answer: location.search })
})()
