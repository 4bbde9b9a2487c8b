// Hands the answer of the authorization server to the docs page that asked for it. It goes by a channel of this origin,
// not through window.opener: pages on the way may cut windows apart (Cross-Origin-Opener-Policy), as sign-in pages should.
;(() => {
  const tell = (text) => {
    document.getElementById('told').textContent = text
  }
  const channel = new BroadcastChannel('portico-docs sign-in')
  const nobody = setTimeout(() => tell('Nobody asked for this sign-in. You can close this window.'), 2000)
  channel.onmessage = ({ data }) => {
    if (data.taken !== location.search) return
    clearTimeout(nobody)
    tell('That is all. You can close this window.')
    window.close()
  }
  channel.postMessage({ answer: location.search })
})()
