/** The code of an error page. */
export type PageProblem =
  | 'client-unknown'
  | 'redirect-localhost'
  | 'redirect-invalid'
  | 'request-lost'
  | 'form-foreign'
  | 'sign-in-lost'
  | 'provider-unknown'
  | 'provider-declined'
  | 'provider-failed'
  | 'signup-disabled'
  | 'email-unavailable'
  | 'account-disabled'
  | 'link-lost'
  | 'link-unproved'
  | 'connect-taken'
  | 'connect-last'
  | 'connect-declined'
  | 'connect-failed'
  | 'invitation-lost'
  | 'invitation-taken'
  | 'invitation-needed'
  | 'rate-limited'
  | 'malformed'
  | 'unavailable'
  | 'failed'

interface ProblemWords {
  readonly title: string
  readonly text: string
  readonly status: number
  readonly mark?: 'quiet' | undefined
}

/** The texts of the error pages. They contain nothing from the request. */
export const problems: Readonly<Record<PageProblem, ProblemWords>> = {
  'client-unknown': {
    title: 'This application is not known here',
    text: 'The link that brought you here names an application that is not registered. Please report this to the people who run it.',
    status: 400,
  },
  'redirect-localhost': {
    title: 'This sign-in cannot be completed',
    text: 'The program asks to be redirected to “localhost”, which may be another computer. It has to use http://127.0.0.1 or http://[::1] with its port.',
    status: 400,
  },
  'redirect-invalid': {
    title: 'This sign-in cannot be completed',
    text: 'The address to return to is missing, or the application has not registered it. Please report this to the people who run it.',
    status: 400,
  },
  'request-lost': {
    title: 'This sign-in has ended',
    text: 'It was already completed, took too long, or was started in another browser. Go back to the application and sign in again.',
    status: 400,
  },
  'form-foreign': {
    title: 'That did not come from our page',
    text: 'To protect your account, nothing was changed. Go back and try again from the page itself.',
    status: 403,
  },
  'sign-in-lost': {
    title: 'This sign-in cannot be continued',
    text: 'It was already completed, took too long, or was started in another browser.',
    status: 400,
  },
  'provider-unknown': {
    title: 'There is no such way to sign in',
    text: 'The link names a provider that is not offered here. Go back and choose another way to sign in.',
    status: 404,
  },
  'provider-declined': {
    title: 'The sign-in was declined',
    text: 'Nothing was shared, and nothing was changed.',
    status: 403,
    mark: 'quiet',
  },
  'provider-failed': {
    title: 'The provider did not answer as it should',
    text: 'Nothing was changed. Try again, or choose another way to sign in.',
    status: 502,
  },
  'signup-disabled': {
    title: 'You have no account here yet',
    text: 'Signing in does not create an account here. Ask the people who run this service for one.',
    status: 403,
  },
  'email-unavailable': {
    title: 'An e-mail address is needed',
    text: 'The provider did not share one. Allow it to, or choose another way to sign in.',
    status: 403,
  },
  'account-disabled': {
    title: 'This account is disabled',
    text: 'Ask the people who run this service.',
    status: 403,
  },
  'link-lost': {
    title: 'This can no longer be connected',
    text: 'It was already connected, took too long, or was started in another browser. Sign in again to start over.',
    status: 400,
  },
  'link-unproved': {
    title: 'That is another account',
    text: 'The account you signed in with does not belong to the one with that e-mail address, so nothing was connected.',
    status: 403,
  },
  'connect-taken': {
    title: 'That belongs to another account',
    text: 'The account you signed in with is already connected to another account here, so nothing was changed.',
    status: 409,
  },
  'connect-last': {
    title: 'This is your only way to sign in',
    text: 'Connect another one first. Otherwise you could no longer sign in to your account.',
    status: 409,
  },
  'connect-declined': {
    title: 'Nothing was connected',
    text: 'The sign-in was declined at the provider.',
    status: 403,
    mark: 'quiet',
  },
  'connect-failed': {
    title: 'Nothing was connected',
    text: 'The provider did not answer as it should.',
    status: 502,
  },
  'invitation-lost': {
    title: 'This invitation is no longer valid',
    text: 'It was already used, was replaced by a newer one, or has expired. Sign in, or ask for a new invitation.',
    status: 400,
  },
  'invitation-taken': {
    title: 'You already have an account here',
    text: 'Sign in to it without the invitation, or accept the invitation with a different account.',
    status: 409,
  },
  'invitation-needed': {
    title: 'Open your invitation first',
    text: 'Your account is ready. Use the link in your invitation to sign in to it for the first time, or ask for a new one.',
    status: 403,
  },
  'rate-limited': {
    title: 'Too many attempts',
    text: 'There were many requests from your network. Wait a minute, then try again.',
    status: 429,
  },
  malformed: {
    title: 'This request is not valid',
    text: 'Something in the address or the form is wrong or too long. Go back to the application and start again.',
    status: 400,
  },
  unavailable: {
    title: 'We cannot answer right now',
    text: 'Our database is not responding. Wait a moment, then try again.',
    status: 503,
  },
  failed: {
    title: 'Something went wrong on our side',
    text: 'Nothing was changed. Try again in a moment.',
    status: 500,
  },
}
