/** Shows a message in place of a part of the desk that fails, so that the rest of the desk stays. */

import { Component, type ReactNode } from "react";
import { ErrorMessage } from "./states.tsx";

interface Props {
  /** The address of the page: another page is tried anew. */
  path?: string;
  children: ReactNode;
}

interface State {
  path: string | undefined;
  failed: { error: unknown } | undefined;
}

export class Boundary extends Component<Props, State> {
  override state: State = { path: this.props.path, failed: undefined };

  static getDerivedStateFromError = (error: unknown): Partial<State> => ({ failed: { error } });

  static getDerivedStateFromProps({ path }: Props, before: State): State | null {
    return path === before.path ? null : { path, failed: undefined };
  }

  override render() {
    const { failed } = this.state;
    return failed ? <ErrorMessage error={failed.error} retry={() => location.reload()} /> : this.props.children;
  }
}
