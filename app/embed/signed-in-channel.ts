/** The channel on which the window of a bell tells a bell in a page of this service that somebody signed in. */
export const signedInChannel = 'bell-signed-in';
