import { createHash } from 'node:crypto';

const source = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The head of an HTML page. No network, and only its own style and script: markup in untrusted text could not run. */
export function pageHead(title: string, style: string, script?: string): string {
  const policy = [
    "default-src 'none'",
    `style-src ${source(style)}`,
    ...(script === undefined ? [] : [`script-src ${source(script)}`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>kaiactl: ${title}</title><style>${style}</style></head>`;
}

/** The base style of the HTML pages: light and dark; header, totals, cards and tables. */
export const pageStyle = `
:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--ink:#171a21;--soft:#5a6372;--line:#dfe3e9;--code:#f1f3f6;
--critical:#b00020;--high:#c2410c;--medium:#8a6100;--low:#1d5fa8;--info:#5b6472;--pass:#1a7f4b;--on:#fff;--plain:#7d8797;--mark:#ffe08a;--focus:#1d5fa8}
@media (prefers-color-scheme:dark){:root{--bg:#101318;--card:#181c23;--ink:#e8ebf0;--soft:#9aa5b5;--line:#2b323d;--code:#11151b;
--critical:#ff7085;--high:#ff9d63;--medium:#efc250;--low:#82bbff;--info:#a9b3c1;--pass:#5ed39a;--on:#12151a;--plain:#8b96a6;--mark:#6b5410;--focus:#82bbff}}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4.5rem}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
pre code{font-size:1em}
a{color:inherit}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem;z-index:9}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
body>*{max-width:70rem;margin-inline:auto;padding-inline:1.25rem}
header{padding-block:2rem 1rem}
.brand{margin:0;color:var(--soft);font-weight:600;letter-spacing:.04em}
h1{margin:.1rem 0 .3rem;font-size:clamp(1.6rem,5vw,2.3rem);line-height:1.15;letter-spacing:-.02em}
h1 .fail{color:var(--critical)}h1 .undetermined{color:var(--medium)}h1 .pass{color:var(--pass)}h1 .suppressed{color:var(--medium)}h1 .simulated,h2 .simulated{margin-left:.6rem;font-size:.8rem;vertical-align:middle;letter-spacing:0;white-space:nowrap}
h2{font-size:1.15rem;margin:0 0 .6rem}
h3{font-size:1rem;margin:0}
.meta{margin:0;color:var(--soft)}
.totals{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:1.1rem 0 0}
.totals li{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.45rem .8rem;min-width:5.6rem}
.totals b{display:block;font-size:1.45rem;line-height:1.2}
.totals .zero{color:var(--soft);background:none}.totals .zero b{font-weight:400}
.card{background:var(--card);border:1px solid var(--line);border-radius:.8rem;padding:1rem 1.1rem;margin-bottom:1rem}
.scroll{position:relative;overflow-x:auto;margin-inline:-1.1rem;padding-inline:1.1rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .7rem .4rem 0;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-weight:600;font-size:.85rem;vertical-align:bottom}
td small,th small{color:var(--soft);font-weight:400;display:block}`;
