// The items of a request or template in a form: a line each, added by Enter in the last one or by the button, and removed.
import { Button, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { ITEMS_MAX } from '#contract/request-words.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './request-dialog.module.css';

export interface ItemLine {
  id?: number | undefined;
  name: string;
  note: string;
}

export const EMPTY_LINE: ItemLine = { name: '', note: '' };

const isBlank = ({ id, name, note }: ItemLine) => id === undefined && name.trim() === '' && note.trim() === '';

/** Without the empty lines at the end, which nobody meant as items. */
export function withoutEmptyEnd<Item extends ItemLine>(items: readonly Item[]): Item[] {
  const last = items.findLastIndex((item) => !isBlank(item));
  return items.slice(0, last + 1);
}

export interface RequestItemFieldsProps {
  items: readonly ItemLine[];
  errors: FormErrors;
  disabled: boolean;
  /** Of those the client has answered: they can be reworded, and not removed. */
  answered?: ReadonlySet<number> | undefined;
  onChange: (items: ItemLine[]) => void;
}

export function RequestItemFields({ items, errors, disabled, answered, onChange }: RequestItemFieldsProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const isFull = items.length >= ITEMS_MAX;
  const focusLine = (nth: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('[data-item-name]')[nth]?.focus());
  const set = (nth: number, next: Partial<ItemLine>) =>
    onChange(items.map((item, place) => (place === nth ? { ...item, ...next } : item)));
  const add = () => {
    if (isFull) return;
    onChange([...items, { ...EMPTY_LINE }]);
    focusLine(items.length);
  };
  const remove = (nth: number) => {
    const left = items.filter((_, place) => place !== nth);
    onChange(left.length === 0 ? [{ ...EMPTY_LINE }] : left);
    focusLine(Math.max(0, nth - 1));
  };
  const stays = ({ id }: ItemLine) => id !== undefined && answered?.has(id) === true;
  const onEnter = (nth: number) => (event: KeyboardEvent) => {
    // In an empty last line, Enter sends the form.
    if (event.key !== 'Enter' || nth !== items.length - 1 || items[nth]?.name.trim() === '') return;
    event.preventDefault();
    add();
  };
  return (
    <fieldset className={classes.items} ref={list}>
      <legend className={classes.legend}>Items</legend>
      {items.map((item, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its place
        <div key={nth} className={classes.item}>
          <TextInput
            aria-label={`Item ${nth + 1}`}
            placeholder="Bank statements"
            autoComplete="off"
            data-item-name
            data-path={`items.${nth}.name`}
            value={item.name}
            onChange={(event) => set(nth, { name: event.currentTarget.value })}
            onKeyDown={onEnter(nth)}
            error={errors[`items.${nth}.name`]}
            disabled={disabled}
          />
          <TextInput
            aria-label={`Note to item ${nth + 1}`}
            aria-required={false}
            placeholder="Note (optional)"
            autoComplete="off"
            data-path={`items.${nth}.note`}
            value={item.note}
            onChange={(event) => set(nth, { note: event.currentTarget.value })}
            onKeyDown={onEnter(nth)}
            error={errors[`items.${nth}.note`]}
            disabled={disabled}
          />
          <div className={classes.remove}>
            <IconButton
              label={`Remove item ${nth + 1}`}
              tip={stays(item) ? 'Answered, so it stays' : 'Remove'}
              icon={<IconX size={16} aria-hidden />}
              onClick={() => remove(nth)}
              disabled={disabled || stays(item) || (items.length === 1 && isBlank(item))}
            />
          </div>
        </div>
      ))}
      {errors.items ? (
        <span role="alert" className={classes.fault}>
          {errors.items}
        </span>
      ) : null}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={add}
          disabled={disabled || isFull}
        >
          Add Item
        </Button>
      </div>
    </fieldset>
  );
}
