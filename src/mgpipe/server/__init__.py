"""The supervisor and the process of one session, which applies records to a back end."""
