// A button's label that may become another one when data arrives: as wide as the widest, and each word where it always is,
// so that nothing moves when one takes the place of another.
import classes from './steady-label.module.css';

export interface SteadyLabelProps<Label extends string> {
  label: NoInfer<Label>;
  /** All that it may say. */
  among: readonly Label[];
}

export function SteadyLabel<Label extends string>({ label, among }: SteadyLabelProps<Label>) {
  return (
    <span className={classes.label}>
      {among.map((other) => (
        <span key={other} aria-hidden={other === label ? undefined : true}>
          {other}
        </span>
      ))}
    </span>
  );
}
