import { DARK_COLORS } from '@scrim/core'

/** Pictures are drawn once, for light paper; on dark paper each of their colours becomes another. */
const darkPictures = (place: string) =>
  Object.entries(DARK_COLORS)
    .map(([light, dark]) => `${place} [fill="${light}"]{fill:${dark}}${place} [stroke="${light}"]{stroke:${dark}}`)
    .join('')

/** The style sheet of the report: light and dark, screen and A4, from 360 pixels on. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1a1d21; --grey: #565d66; --paper: #ffffff; --line: #d5d9de; --panel: #f4f6f8; --on-level: #ffffff;
  --high: #b3261e; --moderate: #8a5200; --inconclusive: #565d66; --low: #14633a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --grey: #a8afb8; --paper: #14171a; --line: #3a4047; --panel: #1e2227;
  --high: #ff8a80; --moderate: #ffc069; --inconclusive: #b4bbc4; --low: #7ed6a5; } }
@media screen and (prefers-color-scheme: dark) { ${darkPictures('.picture')} }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; border-top: 2px solid var(--line); padding-top: 1rem; overflow-wrap: anywhere; }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; } h4 { font-size: 1rem; margin: 1.25rem 0 0; } h4 + p { margin-top: 0; }
h2.minor { font-size: 1.1rem; margin: 1.5rem 0 .5rem; border: 0; padding: 0; } .columns h3:first-child { margin-top: 1rem; }
p, li, dd { max-width: 46rem; }
.kicker, .subject, .grey, caption { color: var(--grey); }
.internal { margin: 0 0 1rem; padding: .6rem .8rem; border: 2px solid currentColor; border-radius: 4px; }
.kicker { margin: 0; text-transform: uppercase; letter-spacing: .06em; font-size: .8rem; }
.small { font-size: .85rem; }
.high, .poor, .refuse { --level: #b3261e; } .moderate, .limited, .review { --level: #8a5200; }
.low, .faithful, .usable, .release { --level: #14633a; } .inconclusive, .not-assessed { --level: #565d66; }
.verdict { display: inline-block; font-weight: 700; font-size: .85em; line-height: 1.4; padding: .05em .55em; border: 2px solid var(--level); border-radius: .35em; white-space: nowrap;
  background: var(--level); color: var(--on-level); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.verdict.inconclusive, .verdict.not-assessed { background: none; color: var(--inconclusive); border: 2px dashed var(--inconclusive); }
.verdicts { list-style: none; padding: 0; } .verdicts li { margin: .4rem 0; }
.answer { border: 2px solid var(--level); border-radius: .6rem; margin: 0 0 1.25rem; overflow: clip; }
.answer h2, .answer .recommendation { background: var(--level); color: var(--on-level); margin: 0; padding: .5rem 1.1rem 0; border: 0; max-width: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.answer h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .9rem; }
.answer .level { font-size: 2.6rem; line-height: 1.15; font-weight: 800; letter-spacing: .01em; } .answer .name { font-size: 1.05rem; font-weight: 500; }
.answer .recommendation { font-size: 1.3rem; line-height: 1.3; font-weight: 600; padding-bottom: .7rem; padding-top: 0; }
.because { padding: .75rem 1.1rem; } .because p { margin: 0; } .because dl { margin: .6rem 0 0; } .because dl:empty { display: none; }
.recommendation { font-size: 1.2rem; font-weight: 600; margin: .25rem 0; }
.sentence { font-size: 1.1rem; }
.remedy { font-style: italic; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2rem; }
@media (min-width: 900px) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr); } }
figure { margin: 1rem 0; }
.picture { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; overflow: hidden; background: #ffffff; }
@media screen and (prefers-color-scheme: dark) { .picture { background: #1e2227; } }
.picture svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); gap: .75rem; align-items: start; }
.multiples figure { margin: 0; } .multiples .picture { border: 0; padding: 0; } .multiples .picture svg { margin: 0; }
.large .picture svg { width: 100%; max-width: 44rem; }
dl { display: grid; grid-template-columns: minmax(0, 11rem) minmax(0, 1fr); gap: .35rem 1rem; }
dt { font-weight: 600; overflow-wrap: anywhere; } dd { margin: 0; overflow-wrap: anywhere; }
@media screen and (max-width: 600px) { dl { grid-template-columns: minmax(0, 1fr); gap: 0 } dd { margin-bottom: .6rem; }
  .picture { overflow-x: auto; } .picture svg { max-width: none; }
  .answer .level { font-size: 2.1rem; } .answer .recommendation { font-size: 1.1rem; } .sentence { font-size: 1rem; } .because dd { margin-bottom: .3rem; } }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; font-size: .85rem; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
thead th { font-weight: 600; } tbody th { font-weight: 400; }
.whole { white-space: nowrap; }
code { font-size: .85em; overflow-wrap: anywhere; } .word { display: inline-block; max-width: 100%; }
.methods-list { display: block; } .methods-list dd { margin-bottom: .6rem; } .methods-list dd::first-letter { text-transform: uppercase; }
.sign-off dl { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); } .sign-off dd.blank { border-bottom: 1px solid var(--ink); min-height: 1.8rem; }
@media screen and (max-width: 600px) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, caption { display: block; } tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  tbody th { display: block; font-weight: 600; border: 0; padding: 0; } td { display: flow-root; border: 0; padding: .1rem 0 .1rem 7.5rem; }
  td::before { content: attr(data-head); float: left; width: 7rem; margin-left: -7.5rem; color: var(--grey); }
}
.pictures { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 2rem; }
@media (min-width: 900px) { .pictures { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .pictures > .wide { grid-column: 1 / -1; } }
a { color: inherit; } details { margin: .75rem 0; } summary { cursor: pointer; color: var(--grey); }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
@page { size: A4; margin: 12mm 15mm; }
@media print { :root { --ink: #000; --grey: #444; --paper: #fff; --line: #bbb; --high: #b3261e; --moderate: #8a5200; --inconclusive: #444; --low: #14633a; }
  :root { font-size: 8.5pt; } body { font-size: 1rem; line-height: 1.35; } h1 { font-size: 1.7rem; } h2.minor { margin-top: .6rem; } .answer { margin-bottom: .5rem; } dl { row-gap: .1rem; } main { max-width: none; padding: 0; } p, li, dd { max-width: none; } h2 { margin-top: 1.25rem; padding-top: .6rem; } h3 { margin-top: .9rem; } p, ul, ol, dl { margin-top: .35rem; margin-bottom: .35rem; }
  dl { gap: .15rem 1rem; } th, td { padding-top: .15rem; padding-bottom: .15rem; } details:not([open]) { display: none; }
  .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } article .columns { grid-template-columns: minmax(0, 1fr); gap: 0; } .first figure { margin: .4rem 0; } .picture svg { max-height: 75mm; } article .columns .picture svg { max-height: 58mm; }
  .answer .level { font-size: 2.6rem; } .answer .recommendation { font-size: 1.4rem; } .sentence { font-size: 1.15rem; } .because { padding: .4rem 1.1rem; } p:has(+ .pictures, + .multiples) { break-after: avoid; } .wide .picture svg { max-height: 86mm; } figure.wide { grid-column: 1 / -1; } figure.wide .picture svg { max-height: 100mm; } .large .picture svg { width: auto; max-width: 100%; }
  .pictures { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .pictures > .display:not(.wide) svg { max-height: 75mm; }
  .threat .pictures { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: start; } .threat .pictures svg { zoom: .8; max-height: none; } .utility .pictures > figure:not(.wide) svg { zoom: .82; max-height: none; }
  .multiples { grid-template-columns: repeat(3, minmax(0, 1fr)); } .sign-off dl { grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 1rem; grid-auto-flow: column; grid-template-rows: auto auto; }
  table { font-size: .9em; } td code { font-size: .8em; } .threats { break-before: page; } .explained, section.threat:not(:has(figure)), .threat dl, p:has(+ dl), .display, figure, .sign-off, tr, .answer { break-inside: avoid; } h2, h3, h4, caption, thead, p:has(+ table, + dl), .methods-list dt { break-after: avoid; } .several article { break-before: page; } .several .threats { break-before: auto; } }
`
