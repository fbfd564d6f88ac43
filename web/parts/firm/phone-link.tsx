// The firm's phone, as a phone calls it.
import { Anchor, type AnchorProps } from '@mantine/core';

export const PhoneLink = ({ phone, ...rest }: { phone: string } & AnchorProps) => (
  <Anchor href={`tel:+1${phone.replace(/\D/g, '')}`} {...rest}>
    {phone}
  </Anchor>
);
