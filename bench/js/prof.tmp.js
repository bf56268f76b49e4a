import { readdirSync, readFileSync } from "node:fs";
import { policy } from "verger";
const folder="../../target/js/corpus";const SITE="https://www.example.com";
const texts = readdirSync(folder).sort().map((name) => readFileSync(`${folder}/${name}`, "utf8"));
function urlsOf(text, count) {
    const patterns = [...text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#*$]*)/gim)].map(([, pattern]) => pattern);
    return Array.from({ length: count }, (_, at) => { const pattern = patterns.length > 0 && at % 2 === 0 ? patterns[(at * 7) % patterns.length] : `/page/${at}`; return `${SITE}${pattern}x${at}`; });
}
const asked=texts.map(t=>[t,urlsOf(t,10)]);
const c=()=>{const u=process.cpuUsage();return u.user+u.system};
let T=[0,0,0];let n=0;
for(let r=0;r<12;r++){ if(r==4){T=[0,0,0]} 
 const t0=c();const ps=asked.map(([t])=>policy(t,"ExampleBot"));const t1=c();ps.forEach((p,i)=>{for(const u of asked[i][1])n+=p.allowed(u)});const t2=c();ps.forEach(p=>p.dispose());const t3=c();T[0]+=t1-t0;T[1]+=t2-t1;T[2]+=t3-t2}
console.log('per file µs: policy',(T[0]/8/500).toFixed(1),'10 allowed',(T[1]/8/500).toFixed(1),'dispose',(T[2]/8/500).toFixed(1),n, 'mean chars', texts.reduce((a,t)=>a+t.length,0)/500);
const e=new TextEncoder();const buf=new Uint8Array(1<<22);let t0=c();for(let k=0;k<8;k++)for(const t of texts)e.encodeInto(t,buf);console.log('encodeInto',((c()-t0)/8/500).toFixed(1));
t0=c();for(let k=0;k<8;k++)for(const t of texts)buf.set(Buffer.from(t,'latin1'));console.log('latin1',((c()-t0)/8/500).toFixed(1));
