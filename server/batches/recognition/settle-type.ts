// Classification: what a document is, from what heads its pages.
import type { ReasonKind } from '#contract/recognition-words.ts';
import type { Form } from './forms/form.ts';
import type { TypeHit } from './page-type.ts';
import type { Signal } from './proposal.ts';
import type { PageOfFile } from './separate.ts';

export interface SettledType {
  readonly reportTypeId: number | null;
  readonly form: Form | null;
  readonly signals: readonly Signal[];
  readonly reasons: readonly ReasonKind[];
  readonly isCorrection: boolean;
}

/** In lines: headings nearer to each other than this stand side by side. */
const NEAR = 3;
/** How much smaller a heading may be than another one to stand beside it. */
const SIZE = 0.85;

const targetOf = ({ reportTypeId, form }: TypeHit) =>
  reportTypeId === null ? `form ${form?.name}` : `type ${reportTypeId}`;

/** Whether a second heading is as good as the first one. */
function rivals(best: TypeHit, other: TypeHit): boolean {
  if (best.isFirms) {
    // An official title of another type is looked at by a person all the same.
    const isTitle = other.rank === 3 && other.reportTypeId !== null;
    return (other.isFirms || isTitle) && other.reportTypeId !== best.reportTypeId;
  }
  if (other.rank !== best.rank || targetOf(other) === targetOf(best)) return false;
  if (other.form !== null && other.form.goesWith?.includes(best.form?.name ?? '') === true) return false;
  if (best.rank !== 2) return true;
  return Math.abs(other.line - best.line) < NEAR && other.box.height >= SIZE * best.box.height;
}

export function settleType(pages: readonly PageOfFile[]): SettledType {
  const headed = pages.find(({ facts }) => facts.types.some(({ rank }) => rank > 1));
  const page = headed ?? pages.find(({ facts }) => facts.types.length > 0);
  const hits = page?.facts.types ?? [];
  // What the firm says of a heading goes before what else heads the page.
  const best = hits.find(({ isFirms }) => isFirms) ?? hits[0];
  const others = hits.filter((hit) => hit !== best);
  if (page === undefined || best === undefined)
    return { reportTypeId: null, form: null, signals: [], reasons: ['noType'], isCorrection: false };
  const rival = others.find((other) => rivals(best, other));
  const agreeing = [best, ...others].filter((hit) => targetOf(hit) === targetOf(best) && hit.rank > 1);
  const titled = best.isFirms ? others.find((hit) => hit.form !== null && hit.rank === 3) : undefined;
  const form = agreeing.find((hit) => hit.form !== null)?.form ?? best.form ?? titled?.form ?? null;
  const signals = [best, ...(rival === undefined ? [] : [rival])].map(({ kind, text, box }) => ({
    kind,
    text,
    marks: [{ page: page.facts.page, ...box }],
  }));
  const reasons: ReasonKind[] = [];
  if (rival !== undefined) reasons.push('severalTypes');
  if (best.reportTypeId === null) reasons.push(best.form === null ? 'noType' : 'unknownType');
  const isCorrection = form?.correction === true || agreeing.some((hit) => hit.isCorrection === true);
  return { reportTypeId: best.reportTypeId, form, signals, reasons, isCorrection };
}
