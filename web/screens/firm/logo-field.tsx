// The firm's logo: chosen, seen and taken away.
import { Button, FileButton, Group, Text } from '@mantine/core';
import type { RefObject } from 'react';
import type { FirmFace } from '#web/lib/product.ts';
import { FirmMark } from '#web/parts/firm/firm-mark.tsx';
import classes from './firm-settings.module.css';

interface LogoFieldProps {
  logo: FirmFace['logo'];
  fault: string | undefined;
  mayUpdate: boolean;
  /** Forgets the chosen file, so that it can be chosen again. */
  resetFile: RefObject<(() => void) | null>;
  onChoose: (file: File | null) => void;
  onRemove: () => void;
}

export function LogoField({ logo, fault, mayUpdate, resetFile, onChoose, onRemove }: LogoFieldProps) {
  return (
    <div>
      <Text component="span" size="sm" fw={500} id="firm-logo">
        Logo
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        PNG, JPEG, WebP or SVG. It is made to fit into 512 x 128 pixels, and is not sent in mails.
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one */}
      <div role="group" aria-labelledby="firm-logo" className={classes.logo}>
        {logo === null ? <Text c="dimmed">No logo</Text> : <FirmMark logo={logo} height={36} widest={108} />}
        {mayUpdate ? (
          <Group gap="xs" ml="auto">
            <FileButton resetRef={resetFile} accept="image/png,image/jpeg,image/webp,image/svg+xml" onChange={onChoose}>
              {(props) => (
                <Button variant="default" size="xs" {...props}>
                  Choose Logo
                </Button>
              )}
            </FileButton>
            {logo === null ? null : (
              <Button variant="default" size="xs" onClick={onRemove}>
                Remove Logo
              </Button>
            )}
          </Group>
        ) : null}
      </div>
      {fault ? (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          {fault}
        </Text>
      ) : null}
    </div>
  );
}
