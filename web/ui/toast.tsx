// Toasts: at most one at a time, for five seconds (spec 4 and 9).
import { notifications } from '@mantine/notifications';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './toast.module.css';

const TOAST_MS = 5000;

function show(kind: 'success' | 'error', icon: ReactNode, message: string, title?: string): void {
  // A limit of one would queue the newer toast behind the older one; here the newer one takes its place.
  notifications.clean();
  notifications.show({
    message,
    ...(title === undefined ? {} : { title }),
    icon,
    autoClose: TOAST_MS,
    withBorder: true,
    role: kind === 'error' ? 'alert' : 'status',
    classNames: { root: classes[kind] ?? '', icon: classes.icon ?? '' },
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}

export const toast = {
  success(message: string, title?: string): void {
    show('success', <IconCircleCheck size={20} aria-hidden />, message, title);
  },
  /** The destructive toast; its title is 'Error' unless said otherwise (spec 8). */
  error(message: string, title = 'Error'): void {
    show('error', <IconAlertCircle size={20} aria-hidden />, message, title);
  },
};
