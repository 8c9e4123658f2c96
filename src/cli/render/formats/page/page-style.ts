// The look of a plan's page: light and dark, from a phone's width on, without anything that is loaded.
import { pictureStyle } from '../../drawing/picture-style.ts'

const variables = `
:root{color-scheme:light dark;--ground:#f4f5f7;--panel:#fff;--sunk:#f1f3f6;--line:#dde1e7;--text:#1b2330;--soft:#566070;--accent:#2b5ca8;--focus:#1d5fd1;
--create:#1c6b34;--update:#7a5000;--replace:#6a2fa8;--delete:#b3261e;--import:#15599e;--forget:#4d5866;--mark:#fff;
--bad:#9c1c15;--bad-wash:#fdecea;--warn:#6f4700;--warn-wash:#fff4da;--gone:#fdecea;--made:#e8f6ec}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--panel:#161b22;--sunk:#11161d;--line:#2d3540;--text:#e6eaf0;--soft:#a3adba;--accent:#8ab4f2;--focus:#8ab4f2;
--create:#57c676;--update:#dba436;--replace:#bb93fa;--delete:#ff7d75;--import:#6cb1ff;--forget:#a3adba;--mark:#0d1117;
--bad:#ffb0a8;--bad-wash:#3a1a1a;--warn:#f0ca7d;--warn-wash:#33270e;--gone:#33191b;--made:#13281a}}
`

const frame = `
*,*:before,*:after{box-sizing:border-box}[hidden]{display:none!important}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
header,main{max-width:74rem;margin:0 auto;padding:0 1rem}header{padding-top:1.25rem}main{padding-bottom:3rem}
h1{font-size:1.6rem;line-height:1.25;margin:.1rem 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}h3{font-size:.95rem;margin:1.2rem 0 .4rem}
p{margin:.4rem 0}.whole{white-space:nowrap}.soft{color:var(--soft)}.where{color:var(--soft)}
code,pre,.field,.value{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.87em}
a{color:var(--accent)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.8rem 0 0}nav a{padding:.3rem 0}nav .danger{font-weight:650}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
.unseen{position:absolute;left:-999rem}.unseen:focus{position:static}
.counts{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.6rem,1fr));gap:.5rem;margin:1rem 0 0}
.counts div{background:var(--panel);border:1px solid var(--line);border-left:4px solid var(--kind,var(--line));border-radius:8px;padding:.4rem .7rem}
.counts dt{color:var(--soft);font-size:.85rem}.counts dd{margin:0;font-size:1.35rem;font-weight:650}
.create{--kind:var(--create)}.update{--kind:var(--update)}.replace{--kind:var(--replace)}.delete{--kind:var(--delete)}.import{--kind:var(--import)}.forget{--kind:var(--forget)}.no-op{--kind:var(--soft)}
.panel,.finding{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem;margin:.5rem 0}
.finding p{margin:.2rem 0}.error{background:var(--bad-wash);border-color:var(--bad)}.error .sort{color:var(--bad)}.warning{background:var(--warn-wash);border-color:var(--warn)}.warning .sort{color:var(--warn)}
.sort{font-weight:650}
.scroll{overflow:auto;border:1px solid var(--line);border-radius:8px;background:#fff}.scroll svg{display:block;height:auto}
@media (prefers-color-scheme:dark){.scroll{background:#0d1117}}
`

const changes = `
form{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;background:var(--ground);padding:.6rem 0}
input,button{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:8px;padding:.45rem .7rem;min-height:2.6rem}
input{flex:1 1 12rem;min-width:0}button{cursor:pointer}input::\\70 laceholder{color:var(--soft);opacity:1}#found{color:var(--soft)}#found:empty{margin-left:-.5rem}
.change{background:var(--panel);border:1px solid var(--line);border-left:4px solid var(--kind);border-radius:8px;margin:.4rem 0;content-visibility:auto;contain-intrinsic-size:auto 2.8rem}
summary{position:relative;display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .6rem;padding:.55rem 2.2rem .55rem .8rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}summary:after{content:"+";position:absolute;right:.8rem;top:.55rem;color:var(--soft)}[open]>summary:after{content:"\\2212"}
.mark{flex:none;min-width:2.1em;text-align:center;font:600 .8rem/1.5 ui-monospace,Menlo,Consolas,monospace;background:var(--kind);color:var(--mark);border-radius:5px;padding:0 .3em}
.address{font-weight:600}.danger{color:var(--bad);font-weight:650}
.inside{padding:0 .8rem .7rem}
table{border-collapse:collapse;width:100%;table-layout:fixed}th{text-align:left;font-weight:600;color:var(--soft);font-size:.85rem}
th,td{padding:.3rem .5rem;border-top:1px solid var(--line);vertical-align:top}thead th{border-top:0}
td.value,pre{white-space:pre-wrap}pre{margin:0;max-height:22rem;overflow:auto}
td.value:empty{background:none!important}.gone{background:var(--gone)}.made{background:var(--made)}
meter{width:100%;min-width:4rem}.numbers th:first-child{width:34%}.numbers td:not(:first-child){font-variant-numeric:tabular-nums}
@media (max-width:40rem){
thead{position:absolute;left:-999rem}tr{display:block;border-top:1px solid var(--line);padding:.35rem 0}th,td{display:block;border:0;padding:.1rem .3rem}
td.value:empty{display:none}td[data-head]:before{content:attr(data-head);display:block;font:.75rem/1.4 system-ui,sans-serif;color:var(--soft)}
.numbers tr{display:flex;flex-wrap:wrap}.numbers th:first-child{flex:1 0 100%;width:100%}.numbers td{flex:1 1 4rem}
input{flex-basis:100%}h1{font-size:1.35rem}}
@media (forced-colors:active){.mark{border:1px solid}}
@media print{form,nav{display:none}.change{content-visibility:visible;break-inside:avoid}}
`

/** All of it; what a page's policy allows is its hash. */
export const pageStyle = [variables, frame, changes, pictureStyle].map((one) => one.trim()).join('\n')
