// The library's `useMutation` for every act of the product: the failure of an act is told wherever the person is by then.
import { type MutateOptions, type UseMutationOptions, useMutation as useLibraryMutation } from '@tanstack/react-query';
import { isInside } from '#web/lib/session.ts';

interface Told<Data, Variables> extends Pick<MutateOptions<Data, Error, Variables>, 'onSuccess'> {
  /** Called for each press that fails, also once its page is left, but not to who has signed out. */
  onError?: (error: Error) => unknown;
}

/** The library forgets what `mutate` is to call once the page is left, or the button is pressed again: that is right for `onSuccess` alone. */
export function useMutation<Data, Variables = void>(options: UseMutationOptions<Data, Error, Variables>) {
  const act = useLibraryMutation(options);
  const mutate = (variables: Variables, { onError, ...whileShown }: Told<Data, Variables> = {}): void => {
    act.mutateAsync(variables, whileShown).catch((error: Error) => {
      if (isInside()) onError?.(error);
    });
  };
  return { ...act, mutate };
}
