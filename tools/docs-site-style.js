/** The style of the documentation site: light, dark, phone and print. */
export const style = `
:root{color-scheme:light dark;--bg:#fff;--side:#f4f5f7;--ink:#171a21;--soft:#5a6372;--line:#dfe3e9;--code:#f1f3f6;--link:#1d5fa8}
@media (prefers-color-scheme:dark){:root{--bg:#101318;--side:#181c23;--ink:#e8ebf0;--soft:#9aa5b5;--line:#2b323d;--code:#1a1f27;--link:#82bbff}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem;z-index:9}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;background:var(--side);border-right:1px solid var(--line);padding:1.2rem}
nav h2,.menu h2{font-size:.8rem;margin:1.1rem 0 .3rem;color:var(--soft);border:0;padding:0}
nav ul,.menu ul{list-style:none;margin:0;padding:0;font-size:.92rem}
nav a,.menu a{display:block;padding:.12rem 0;color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav a:hover,.menu a:hover{text-decoration:underline}
[aria-current]{font-weight:700}
form input{width:100%;font:inherit;padding:.3rem .5rem;margin:0 0 .8rem;color:inherit;background:var(--bg);border:1px solid var(--soft);border-radius:.3rem}
.menu{display:none}
main{max-width:54rem;padding:1.5rem 2.5rem 4rem;min-width:0}
h1{font-size:2rem;line-height:1.2;margin:.5rem 0 1rem;letter-spacing:-.02em}
h2{font-size:1.35rem;margin:2.2rem 0 .7rem;padding-top:.6rem;border-top:1px solid var(--line)}
h3{font-size:1.1rem;margin:1.6rem 0 .5rem}
h1,h2,h3,p,li{overflow-wrap:break-word}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--code);padding:.1em .3em;border-radius:.25em}
pre{background:var(--code);border-radius:.5rem;padding:.8rem 1rem;overflow-x:auto;line-height:1.45;font-size:.83rem}
pre code{background:none;padding:0;font-size:1em}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.95em}
th,td{text-align:left;vertical-align:top;padding:.4rem 1rem .4rem 0;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--soft)}
img{max-width:100%;height:auto;background:#fff}
@media (max-width:52rem){body{display:block}nav{display:none}.menu{display:block;background:var(--side);border-bottom:1px solid var(--line);padding:.8rem 1.1rem}.menu summary{cursor:pointer;font-weight:600}main{padding:1rem 1.1rem 3rem}h1{font-size:1.6rem}}
@media print{nav,.menu,.skip{display:none}body{display:block}main{max-width:none;padding:0}pre{white-space:pre-wrap}h2,h3{break-after:avoid}}
`;
