// The firm's color, typed or picked, and a near one that can be read where that one cannot.
import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { isColour } from '#contract/accent.ts';
import { PRODUCT_SHADES } from '#contract/shades.ts';
import classes from './firm-settings.module.css';

interface ColorFieldProps {
  field: TextInputProps;
  /** As it would be stored. */
  colour: string;
  /** Why it cannot be used, with one that can; null where it can. */
  fault: string | null;
  mayUpdate: boolean;
  onType: (text: string) => void;
}

export function ColorField({ field, colour, fault, mayUpdate, onType }: ColorFieldProps) {
  const near = fault?.match(/#[0-9a-f]{6}/)?.[0];
  return (
    <div>
      <TextInput
        {...field}
        label="Color"
        description="Of buttons, links and marks. It is made darker or lighter where text needs that."
        placeholder={PRODUCT_SHADES.ten[7]}
        error={field.error ?? fault}
        leftSection={
          <input
            type="color"
            aria-label="Pick a color"
            className={classes.swatch}
            disabled={!mayUpdate}
            value={isColour(colour) ? colour : PRODUCT_SHADES.ten[7]}
            onChange={(event) => onType(event.currentTarget.value)}
          />
        }
        leftSectionWidth={44}
        leftSectionPointerEvents="all"
      />
      {near === undefined ? null : (
        <Button variant="default" size="xs" mt={6} onClick={() => onType(near)}>
          Use {near}
        </Button>
      )}
    </div>
  );
}
