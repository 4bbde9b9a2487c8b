/** The stylesheet of every page. It matches the pages that end a terminal login. */
export const style: string = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1a2130;--soft:#566073;--line:#d5dae3;--strong:#2952cc;--on-strong:#fff;--note:#eef2fd;--mark:#2952cc}
.good{--mark:#17803d}.bad{--mark:#c02626}.quiet{--mark:#8a6100}
@media(prefers-color-scheme:dark){:root{--ground:#0f131a;--card:#181e28;--ink:#eef1f6;--soft:#a5afc0;--line:#3a4558;--strong:#8fadff;--on-strong:#0f131a;--note:#202a3d;--mark:#8fadff}
.good{--mark:#4ccb7c}.bad{--mark:#ff8080}.quiet{--mark:#e0b04c}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1.25rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2.25rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;overflow-wrap:anywhere}
header{text-align:center}
svg{display:block;margin:0 auto;width:3.25rem;height:3.25rem;fill:none;stroke:var(--mark);stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
h1{margin:1rem 0 .5rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
p{margin:0 0 1rem;color:var(--soft)}
header p{margin:0;text-wrap:balance}
strong{color:var(--ink);font-weight:600}
ul{margin:1.5rem 0 0;padding:0;list-style:none}
.scopes{margin:.5rem 0 0;padding:0 1rem;border:1px solid var(--line);border-radius:.625rem}
.scopes li{padding:.625rem 0;border-top:1px solid var(--line)}
.scopes li:first-child{border-top:0}
header+.scopes,.note+.scopes{margin-top:1.5rem}
h2{margin:1.5rem 0 0;font-size:1rem}
.choice{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:1.25rem}
.choice .button{margin:0}
.button{display:block;width:100%;margin:.75rem 0 0;padding:.75rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:inherit;background:none;border:1px solid var(--line);border-radius:.625rem;cursor:pointer}
main>.button,main>form>.button{margin-top:1.5rem}
main>form+.button{margin-top:.75rem}
.button:hover{border-color:var(--strong)}
.primary{color:var(--on-strong);background:var(--strong);border-color:var(--strong)}
a{color:var(--strong)}
a.button{color:inherit}a.primary{color:var(--on-strong)}
.button:focus-visible,a:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
.hint{margin:.75rem 0 0;font-size:.9375rem}
.note{margin:1.25rem 0 0;padding:.75rem 1rem;background:var(--note);border-radius:.625rem;color:var(--ink);font-size:.9375rem}
.who{margin:1.25rem 0 0;font-size:.9375rem;text-align:center;text-wrap:balance}
@media(max-width:26rem){body{padding:0;place-items:stretch}main{max-width:none;border:0;border-radius:0;padding:2rem 1.25rem}}
@media(forced-colors:active){.button{border-color:ButtonBorder}}`
