/** The style of the page of an API: light or dark like the system of the reader, and readable on a phone. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: light-dark(#1c2024, #e6e8eb); --soft: light-dark(#5b6570, #9aa4af);
  --paper: light-dark(#ffffff, #14171a); --panel: light-dark(#f4f6f8, #1d2125); --line: light-dark(#d9dee3, #333a41);
  --link: light-dark(#0b5cad, #7ab8ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; color: var(--ink); background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav { padding: 1rem; border-bottom: 1px solid var(--line); }
nav ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
nav a { display: block; padding: .15rem 0; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
nav h2 { font-size: .8rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); margin: .75rem 0 .25rem; }
main { padding: 1rem; max-width: 60rem; }
article { border-top: 1px solid var(--line); padding: 1.25rem 0; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 2rem; } h3 { font-size: 1.05rem; margin: 0 0 .5rem; }
h4 { font-size: .85rem; color: var(--soft); margin: 1rem 0 .25rem; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; overflow-x: auto; margin: .25rem 0; }
.call { overflow-wrap: anywhere; } .method { font-weight: 700; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
td:first-child { white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
.scroll { overflow-x: auto; } .soft { color: var(--soft); }
summary { cursor: pointer; padding: .2rem 0; }
@media (max-width: 40rem) {
  nav { max-height: 45vh; overflow-y: auto; }
  table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .3rem 0; }
  td { border: 0; padding: 0; overflow-wrap: anywhere; }
  td:first-child { white-space: normal; }
  details .scroll { border-left: 2px solid var(--line); padding-left: .75rem; }
}
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 17rem 1fr; }
  nav { border-bottom: 0; border-right: 1px solid var(--line); height: 100vh; position: sticky; top: 0; overflow-y: auto; }
  main { padding: 1rem 2.5rem; }
}
`;
