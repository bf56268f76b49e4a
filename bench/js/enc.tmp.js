import { readdirSync, readFileSync } from "node:fs";
const folder="../../target/js/corpus";
const texts = readdirSync(folder).sort().map((name) => readFileSync(`${folder}/${name}`, "utf8"));
const c=()=>{const u=process.cpuUsage();return u.user+u.system};
const e=new TextEncoder();const mem=new WebAssembly.Memory({initial:64});const buf=new Uint8Array(mem.buffer);const nb=Buffer.from(mem.buffer);
const wb=Buffer.from(new WebAssembly.Memory({initial:64}).buffer);const tests={write16(t){return wb.write(t,0,'utf16le')}, ucs2(t){return wb.ucs2Write(t,0,t.length*2)},encodeInto(t){return e.encodeInto(t,buf).written}, loop(t){const n=t.length;for(let i=0;i<n;i++){const u=t.charCodeAt(i);if(u>127)return 0;buf[i]=u}return n},encodeIntoSub(t){return e.encodeInto(t,buf.subarray(1024)).written},
utf8Write(t){return nb.utf8Write(t,0)}, latin1Write(t){return nb.latin1Write(t,0)}, byteLength(t){return Buffer.byteLength(t)}, regex(t){return /[^\x00-\x7f]/.test(t)?0:1},
bl_latin(t){return Buffer.byteLength(t)===t.length?nb.latin1Write(t,0):nb.utf8Write(t,0)}, re_latin(t){return /[^\x00-\x7f]/.test(t)?nb.utf8Write(t,0):nb.latin1Write(t,0)}};
const T={};for(let r=0;r<40;r++)for(const[k,f]of Object.entries(tests)){const t0=performance.now();for(const t of texts)f(t);(T[k]??=[]).push((performance.now()-t0)*1000/500)}
for(const[k,v]of Object.entries(T))console.log(k,v.sort((a,b)=>a-b)[0].toFixed(2));
console.log('ascii files',texts.filter(t=>!/[^\x00-\x7f]/.test(t)).length)
for(const[name,set]of[['ascii',texts.filter(t=>!/[^\x00-\x7f]/.test(t))],['latin1',texts.filter(t=>/[^\x00-\x7f]/.test(t)&&!/[^\x00-\xff]/.test(t))],['two-byte',texts.filter(t=>/[^\x00-\xff]/.test(t))]]){
const T={};for(let r=0;r<40;r++)for(const[k,f]of Object.entries(tests)){const t0=performance.now();for(const t of set)f(t);(T[k]??=[]).push((performance.now()-t0)*1000/set.length)}
console.log(name,set.length,'chars',set.reduce((a,t)=>a+t.length,0)/set.length|0,Object.entries(T).map(([k,v])=>k+' '+v.sort((a,b)=>a-b)[0].toFixed(2)).join(', '))}
