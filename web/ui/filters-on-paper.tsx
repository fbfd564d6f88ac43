// The line that stands on paper in place of a filter bar: what its controls are set to. Chips of the list below say it where there are any.
import { type RefObject, useState } from 'react';
import classes from './filters-on-paper.module.css';
import { useBeforePrint } from './use-before-print.ts';

/** Of a labelled control. `data-in-force` is what it means where that is not what stands in it; empty for everything. */
function inForce(label: HTMLLabelElement): string {
  const { control, textContent: name } = label;
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked ? name : '';
  if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return '';
  const shown =
    control instanceof HTMLSelectElement && control.value !== '' ? control.selectedOptions[0]?.text : control.value;
  const value = control.dataset['inForce'] ?? shown ?? '';
  return value === '' ? '' : `${name}: ${value}`;
}

export function FiltersOnPaper({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const [filters, setFilters] = useState<readonly string[]>([]);
  useBeforePrint(() => {
    const labels = [...(bar.current?.querySelectorAll('label') ?? [])];
    setFilters(labels.map(inForce).filter((filter) => filter !== ''));
  });
  return filters.length === 0 ? null : <p className={classes.line}>{filters.join(' · ')}</p>;
}
