//! Recorded cases that the binary carries, so that a newcomer sees whole explanations without a cluster.
