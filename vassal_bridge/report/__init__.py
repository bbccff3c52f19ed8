"""What an audit found, a file holds or a record tells, in the forms that readers and programs take."""
