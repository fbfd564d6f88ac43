// Addresses of pages, and the link of components that are given another one to be: `component={PageLink}`.
import { Link, type LinkComponentProps, type RegisteredRouter } from '@tanstack/react-router';
import type { ReactElement } from 'react';

/** What an address says after its question mark. */
export type Address = Readonly<Record<string, string | undefined>>;

/** The pages of the portal, as their routes are written: '/clients/$id'. */
export type PagePath = keyof RegisteredRouter['routesByPath'] & string;

/** `Link` for any page: with `component`, a generic one would take the parameters and the search of none. */
export const PageLink: (props: LinkComponentProps<'a', RegisteredRouter, string, PagePath>) => ReactElement = Link;
