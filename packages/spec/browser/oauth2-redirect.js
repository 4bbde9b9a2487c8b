// Hands the answer of the authorization server to the docs page that asked for it: in the window that opened this one, or,
// where pages on the way have cut that tie, by a channel that pages of this origin share.
;(() => {
  const answer = new URLSearchParams(location.search)
  if (window.opener?.swaggerUIRedirectOauth2) {
    window.opener.porticoTakeAnswer(answer)
    window.close()
    return
  }
  const tell = (text) => {
    document.getElementById('told').textContent = text
  }
  const unasked = setTimeout(() => tell('Nobody asked for this sign-in. You can close this window.'), 1000)
  const channel = new BroadcastChannel(location.origin + location.pathname)
  channel.addEventListener('message', ({ data }) => {
    if (data.taken === undefined || data.taken !== answer.get('state')) return
    clearTimeout(unasked)
    tell('The docs page has the answer. You can close this window.')
    window.close()
  })
  channel.postMessage({ answer: location.search })
})()
