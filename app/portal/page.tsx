import { redirect } from 'next/navigation';

/** The employee's first page is the list of notifications. */
export default function PortalHome() {
  redirect('/portal/notifications');
}
