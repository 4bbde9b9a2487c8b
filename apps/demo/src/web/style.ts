/** The look of the app's own pages, in the family of the sign-in pages: their colours, corners and type. */
export const style: string = `
:root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1a2130;--soft:#566073;--line:#d5dae3;--strong:#2952cc;--on-strong:#fff;--note:#eef2fd;--good:#17803d;--busy:#8a6100;--bad:#c02626}
@media(prefers-color-scheme:dark){:root{--ground:#0f131a;--card:#181e28;--ink:#eef1f6;--soft:#a5afc0;--line:#3a4558;--strong:#8fadff;--on-strong:#0f131a;--note:#202a3d;--good:#4ccb7c;--busy:#e0b04c;--bad:#ff8080}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--strong);text-underline-offset:.15em}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;padding:.5rem 1rem;background:var(--card);border-radius:.625rem;z-index:1}
.bar{background:var(--card);border-bottom:1px solid var(--line)}
.bar>div,main{max-width:56rem;margin:0 auto;padding:0 1.25rem}
.bar>div{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.25rem;padding-top:.625rem;padding-bottom:.625rem}
.brand{display:flex;align-items:center;gap:.5rem;font-weight:700;color:inherit;text-decoration:none}
.brand svg{width:1.5rem;height:1.5rem;fill:none;stroke:var(--strong);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-right:auto}
nav a{padding:.375rem 0;color:var(--soft);text-decoration:none;border-bottom:2px solid transparent}
nav a:hover{color:var(--ink)}
nav a[aria-current]{color:var(--ink);border-color:var(--strong)}
.me{display:flex;align-items:center;gap:.75rem;color:var(--soft);font-size:.9375rem}
main{padding-top:1.75rem;padding-bottom:4rem}
h1{margin:0 0 .375rem;font-size:1.625rem;line-height:1.25;text-wrap:balance}
h2{margin:2rem 0 .75rem;font-size:1.125rem}
.lead{margin:0 0 1.25rem;color:var(--soft);max-width:46rem}
summary{width:max-content;list-style:none}
summary::-webkit-details-marker{display:none}
details[open]>summary{margin-bottom:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.25rem}
.rows{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:1rem}
.rows>li{display:flex;align-items:center;gap:.875rem;padding:.75rem 1rem;border-top:1px solid var(--line)}
.rows>li:first-child{border-top:0}
.rows .what{flex:1;min-width:0}
.rows a{color:inherit;font-weight:600;text-decoration:none}
.rows a:hover{text-decoration:underline}
.rows strong{font-weight:600}
.rows p{margin:0;color:var(--soft);font-size:.875rem}
.rows .done a{color:var(--soft);font-weight:400;text-decoration:line-through}
.urgent,.late{color:var(--bad)}
.due{white-space:nowrap}
.rows>li[id]{scroll-margin-top:40vh}
.empty{padding:2.5rem 1rem;text-align:center;color:var(--soft)}
.tag{display:inline-block;padding:0 .5rem;border:1px solid var(--line);border-radius:1rem;font-size:.8125rem;color:var(--soft)}
.here{color:var(--good);border-color:currentColor}
form{margin:0}
.fields{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end}
.fields+.fields{margin-top:.75rem}
.fields>label{flex:1 1 9rem}
.fields>.wide{flex:4 1 16rem}
.fields>.small{flex:0 1 9rem}
label{display:block;font-size:.875rem;color:var(--soft)}
input,select{display:block;width:100%;margin-top:.25rem;height:2.625rem;padding:0 .75rem;font:inherit;font-size:1rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:.625rem}
select{padding:0 .5rem}
input[type=checkbox]{display:inline-block;width:1.125rem;height:1.125rem;margin:0 .5rem 0 0;vertical-align:-.1875rem;accent-color:var(--strong)}
.fields>.check{flex:0 0 auto;height:2.625rem;display:flex;align-items:center}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.625rem;padding:.375rem 1rem;font:inherit;font-weight:600;color:inherit;background:none;border:1px solid var(--line);border-radius:.625rem;text-decoration:none;cursor:pointer;white-space:nowrap}
.button:hover{border-color:var(--strong)}
.primary{color:var(--on-strong);background:var(--strong);border-color:var(--strong)}
.slim{min-height:2.125rem;padding:.125rem .75rem;font-size:.875rem}
.danger{color:var(--bad)}
.state{min-width:5.5rem}
.state.doing{color:var(--busy)}.state.done{color:var(--good)}
.star{min-width:2.75rem;min-height:2.75rem;padding:0;font:1.375rem/1 system-ui,sans-serif;color:var(--soft);background:none;border:0;border-radius:.625rem;cursor:pointer}
.star[aria-pressed=true]{color:var(--busy)}
.star:hover{color:var(--busy)}
.rows>li:has(.star){padding-left:.5rem;gap:.375rem}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
.pages{display:grid;grid-template-columns:1fr auto 1fr;align-items:center;justify-items:start;gap:.75rem;margin-top:1rem;color:var(--soft);font-size:.9375rem}
.pages>:last-child{justify-self:end}
.note{margin:0 0 1.25rem;padding:.75rem 1rem;background:var(--note);border-radius:.625rem}
.bad{color:var(--bad)}
.gap{margin-top:1.25rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
.actions details{margin-left:auto}
.actions details[open]{display:flex;flex-wrap:wrap;gap:.75rem}
.actions details>summary{margin:0}
.hello{max-width:34rem;margin:3rem auto 0;text-align:center}
.hello .lead{margin-left:auto;margin-right:auto;text-wrap:balance}
.hello .button{margin:.25rem}
.hello .rows{margin-top:2.5rem;text-align:left}
code{font-size:.875rem}
pre{margin:.5rem 0 0;padding:.75rem 1rem;white-space:pre-wrap;background:var(--note);border-radius:.625rem;font-size:.875rem}
@media(max-width:36rem){.bar>div,main{padding-left:1rem;padding-right:1rem}main{padding-top:1.25rem}.me{margin-left:auto}.me span{display:none}nav{order:1;width:100%}.fields>label,.fields>.small{flex:1 1 7.5rem}.fields>.wide{flex:1 1 100%}.fields>.button{flex:1 1 6rem}.actions{gap:.5rem}.rows>li{padding:.75rem}.hello{margin-top:1.5rem}}
@media(forced-colors:active){.button{border-color:ButtonBorder}}`
